-- A trading company, of the shape of Northwind: 13 tables, a name with a space, composite keys, pictures, checks,
-- defaults, and views.
CREATE TABLE [Categories] (
    [CategoryID] INTEGER PRIMARY KEY AUTOINCREMENT,
    [CategoryName] TEXT COLLATE NOCASE,
    [Description] TEXT,
    [Picture] BLOB
);
CREATE TABLE [CustomerDemographics] (
    [CustomerTypeID] TEXT NOT NULL,
    [CustomerDesc] TEXT,
    PRIMARY KEY ("CustomerTypeID")
);
CREATE TABLE [Customers] (
    [CustomerID] TEXT,
    [CompanyName] TEXT,
    [ContactName] TEXT,
    [ContactTitle] TEXT,
    [Address] TEXT,
    [City] TEXT,
    [Region] TEXT,
    [PostalCode] TEXT,
    [Country] TEXT,
    [Phone] TEXT,
    [Fax] TEXT,
    PRIMARY KEY (`CustomerID`)
);
CREATE TABLE [CustomerCustomerDemo] (
    [CustomerID] TEXT NOT NULL,
    [CustomerTypeID] TEXT NOT NULL,
    PRIMARY KEY ("CustomerID", "CustomerTypeID"),
    FOREIGN KEY ([CustomerID]) REFERENCES [Customers] ([CustomerID]) ON DELETE NO ACTION ON UPDATE NO ACTION,
    FOREIGN KEY ([CustomerTypeID]) REFERENCES [CustomerDemographics] ([CustomerTypeID])
);
CREATE TABLE [Employees] (
    [EmployeeID] INTEGER PRIMARY KEY AUTOINCREMENT,
    [LastName] TEXT,
    [FirstName] TEXT,
    [Title] TEXT,
    [TitleOfCourtesy] TEXT,
    [BirthDate] DATE,
    [HireDate] DATE,
    [Address] TEXT,
    [City] TEXT,
    [Region] TEXT,
    [PostalCode] TEXT,
    [Country] TEXT,
    [HomePhone] TEXT,
    [Extension] TEXT,
    [Photo] BLOB,
    [Notes] TEXT,
    [ReportsTo] INTEGER,
    [PhotoPath] TEXT,
    FOREIGN KEY ([ReportsTo]) REFERENCES [Employees] ([EmployeeID])
);
CREATE TABLE [Regions] (
    [RegionID] INTEGER NOT NULL PRIMARY KEY,
    [RegionDescription] TEXT NOT NULL
);
CREATE TABLE [Territories] (
    [TerritoryID] TEXT NOT NULL,
    [TerritoryDescription] TEXT NOT NULL,
    [RegionID] INTEGER NOT NULL,
    PRIMARY KEY ("TerritoryID"),
    FOREIGN KEY ([RegionID]) REFERENCES [Regions] ([RegionID])
);
CREATE TABLE [EmployeeTerritories] (
    [EmployeeID] INTEGER NOT NULL,
    [TerritoryID] TEXT NOT NULL,
    PRIMARY KEY ("EmployeeID", "TerritoryID"),
    FOREIGN KEY ([EmployeeID]) REFERENCES [Employees] ([EmployeeID]),
    FOREIGN KEY ([TerritoryID]) REFERENCES [Territories] ([TerritoryID])
);
CREATE TABLE [Shippers] (
    [ShipperID] INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    [CompanyName] TEXT NOT NULL,
    [Phone] TEXT
);
CREATE TABLE [Suppliers] (
    [SupplierID] INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    [CompanyName] TEXT NOT NULL,
    [ContactName] TEXT,
    [ContactTitle] TEXT,
    [Address] TEXT,
    [City] TEXT,
    [Region] TEXT,
    [PostalCode] TEXT,
    [Country] TEXT,
    [Phone] TEXT,
    [Fax] TEXT,
    [HomePage] TEXT
);
CREATE TABLE [Orders] (
    [OrderID] INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    [CustomerID] TEXT,
    [EmployeeID] INTEGER,
    [OrderDate] DATETIME DEFAULT CURRENT_TIMESTAMP,
    [RequiredDate] DATETIME,
    [ShippedDate] DATETIME,
    [ShipVia] INTEGER,
    [Freight] NUMERIC DEFAULT 0,
    [ShipName] TEXT,
    [ShipAddress] TEXT,
    [ShipCity] TEXT,
    [ShipRegion] TEXT,
    [ShipPostalCode] TEXT,
    [ShipCountry] TEXT,
    FOREIGN KEY ([EmployeeID]) REFERENCES [Employees] ([EmployeeID]),
    FOREIGN KEY ([CustomerID]) REFERENCES [Customers] ([CustomerID]),
    FOREIGN KEY ([ShipVia]) REFERENCES [Shippers] ([ShipperID])
);
CREATE TABLE [Products] (
    [ProductID] INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    [ProductName] TEXT NOT NULL,
    [SupplierID] INTEGER,
    [CategoryID] INTEGER,
    [QuantityPerUnit] TEXT,
    [UnitPrice] NUMERIC DEFAULT 0,
    [UnitsInStock] INTEGER DEFAULT 0,
    [UnitsOnOrder] INTEGER DEFAULT 0,
    [ReorderLevel] INTEGER DEFAULT 0,
    [Discontinued] TEXT NOT NULL DEFAULT '0',
    CHECK ([UnitPrice] >= (0)),
    CHECK ([ReorderLevel] >= (0)),
    CHECK ([UnitsInStock] >= (0)),
    CHECK ([UnitsOnOrder] >= (0)),
    FOREIGN KEY ([SupplierID]) REFERENCES [Suppliers] ([SupplierID]),
    FOREIGN KEY ([CategoryID]) REFERENCES [Categories] ([CategoryID])
);
CREATE TABLE [Order Details] (
    [OrderID] INTEGER NOT NULL,
    [ProductID] INTEGER NOT NULL,
    [UnitPrice] NUMERIC NOT NULL DEFAULT 0,
    [Quantity] INTEGER NOT NULL DEFAULT 1,
    [Discount] REAL NOT NULL DEFAULT 0,
    PRIMARY KEY ("OrderID", "ProductID"),
    CHECK ([Discount] >= (0) AND [Discount] <= (1)),
    CHECK ([Quantity] > (0)),
    CHECK ([UnitPrice] >= (0)),
    FOREIGN KEY ([OrderID]) REFERENCES [Orders] ([OrderID]) ON DELETE CASCADE,
    FOREIGN KEY ([ProductID]) REFERENCES [Products] ([ProductID])
);
CREATE INDEX "CustomerCustomerDemo_Type" ON "CustomerCustomerDemo" ("CustomerTypeID");
CREATE INDEX "Employees_ReportsTo" ON "Employees" ("ReportsTo");
CREATE INDEX "Territories_Region" ON "Territories" ("RegionID");
CREATE INDEX "EmployeeTerritories_Territory" ON "EmployeeTerritories" ("TerritoryID");
CREATE INDEX "Orders_Employee" ON "Orders" ("EmployeeID");
CREATE INDEX "Orders_Customer" ON "Orders" ("CustomerID", "OrderDate" DESC);
CREATE INDEX "Orders_Shipper" ON "Orders" ("ShipVia") WHERE "ShipVia" IS NOT NULL;
CREATE INDEX "Products_Supplier" ON "Products" ("SupplierID");
CREATE INDEX "Products_Category" ON "Products" ("CategoryID");
CREATE INDEX "Order Details_Product" ON "Order Details" ("ProductID");
CREATE VIEW [Alphabetical list of products] AS
SELECT Products.*, Categories.CategoryName
FROM Categories INNER JOIN Products ON Categories.CategoryID = Products.CategoryID
WHERE Products.Discontinued = '0';
CREATE VIEW [Order Subtotals] AS
SELECT [Order Details].OrderID, Sum([Order Details].UnitPrice * Quantity * (1 - Discount)) AS Subtotal
FROM [Order Details]
GROUP BY [Order Details].OrderID;
CREATE VIEW [Quarterly Orders] AS
SELECT DISTINCT Customers.CustomerID, Customers.CompanyName, Customers.City, Customers.Country
FROM Customers JOIN Orders ON Customers.CustomerID = Orders.CustomerID
WHERE Orders.OrderDate BETWEEN '2027-01-01' AND '2027-12-31'; -- one year
