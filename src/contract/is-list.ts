/** A list of unknown items; `Array.isArray` alone makes them `any`. */
export const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)
