/** Keeps the order of an amount's characters in a sentence of either direction: a price reads from left to right. */
export const leftToRight = (amount: string): string => `\u2066${amount}\u2069`
