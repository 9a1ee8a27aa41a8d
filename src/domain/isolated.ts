/** A name of either direction, which keeps the order of its characters in a sentence. */
export const isolatedName = (name: string): string => `\u2068${name}\u2069`

/** An amount or a time, which is read from left to right in a sentence of either direction. */
export const isolatedAmount = (amount: string): string => `\u2066${amount}\u2069`
