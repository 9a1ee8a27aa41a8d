import type {Mark} from './mark.ts'

export default {
  hue: 225,
  glyph: 'M4 14c2-3 4-3 6 0s4 3 6 0 3-3 4-2M4 9c2-3 4-3 6 0s4 3 6 0 3-3 4-2',
} satisfies Mark
