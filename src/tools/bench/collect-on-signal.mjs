/*
 * Loaded into a measured server beside `--expose-gc`: SIGUSR2 has it collect its garbage, so that what it still holds
 * is not mistaken for what it merely has not let go of yet.
 */
process.on('SIGUSR2', () => globalThis.gc?.())
