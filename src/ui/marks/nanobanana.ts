import type {Mark} from './mark.ts'

export default {
  hue: 85,
  glyph: 'M6 5c0 9 5 13 13 12-2 3-12 4-15-5-1-3 0-6 2-7Z',
} satisfies Mark
