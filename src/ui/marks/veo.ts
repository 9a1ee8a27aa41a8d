import type {Mark} from './mark.ts'

export default {
  hue: 240,
  glyph: 'M4 6l8 13 8-13M9 6l3 5 3-5',
} satisfies Mark
