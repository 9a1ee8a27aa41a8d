import type {Mark} from '#ui/marks/mark.ts'

export default {
  hue: 20,
  glyph: 'M4 20l4-1 11-11-3-3L5 16zM14 7l3 3',
} satisfies Mark
