/**
 * Mark of a media tool, our own drawing (design.md §5: no logos of others): the file is named after the tool. `glyph`
 * is a path of strokes on a 24 unit grid, `hue` the angle of the ground's colour in oklch.
 */
export type Mark = {hue: number; glyph: string}
