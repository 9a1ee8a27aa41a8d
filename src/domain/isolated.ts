/** A name or a date, which keeps its own direction in a sentence of either one. */
export const isolatedName = (name: string): string => `\u2068${name}\u2069`
