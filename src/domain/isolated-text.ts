/** A name or a time, which keeps its own direction in a sentence of either one. */
export const isolated = (text: string): string => `\u2068${text}\u2069`
