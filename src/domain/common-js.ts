/** A CommonJS package is its default, or for Node an object that has it as its default. */
export const defaultOf = <Default extends object>(imported: Default & {default?: Default}): Default =>
  imported.default ?? imported
