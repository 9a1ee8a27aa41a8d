/** A name of either direction, for a sentence. */
export const isolated = (name: string) => `\u2068${name}\u2069`
