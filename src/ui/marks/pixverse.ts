import type {Mark} from './mark.ts'

export default {
  hue: 320,
  glyph: 'M5 5h6v6H5zM13 13h6v6h-6zM13 5l6 6M5 13l6 6',
} satisfies Mark
