#include "EncryptedRunStart.h"

void squall_start_encrypted_run(void);

__attribute__((constructor)) static void start(void) { squall_start_encrypted_run(); }
