import type {CodeLook} from '#contract/media/media-codes.ts'

/** A code as a form without changes asks for it. */
export const plainLook: CodeLook = {
  steps: 20,
  position: 'center',
  pixelStyle: 'square',
  markerShape: 'square',
  subMarker: 'square',
  rotate: 0,
  paddingLevel: 5,
  paddingNoise: 0,
}
