import Squall
import SwiftUI

typealias Table = Squall.Table
typealias Schema = Squall.Schema
typealias Binding = SwiftUI.Binding
typealias Bindable = SwiftUI.Bindable
