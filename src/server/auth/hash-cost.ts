/**
 * scrypt costs 32 MiB and tens of milliseconds a hash; the numbers stand in each hash, so they can be raised later. Tests of
 * what is around it lower them (tests/server/cheap-hash.ts).
 */
export const hashCost = {N: 2 ** 15, r: 8, p: 3}
