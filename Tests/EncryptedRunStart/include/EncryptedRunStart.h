// Calls `squall_start_encrypted_run` of the module EncryptedRun before `main`: tests have no place of their own for that.
