import type {Mark} from './mark.ts'

export default {
  hue: 20,
  glyph: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4 20c1-4 4-6 8-6s7 2 8 6',
} satisfies Mark
