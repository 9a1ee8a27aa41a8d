import {Star} from 'lucide'
import {define} from './icons.tsx'

/** Icons of favourites, none of them in a first load. */
export const StarIcon = /* @__PURE__ */ define(Star)
export const StarFilledIcon = /* @__PURE__ */ define(Star, {filled: true})
