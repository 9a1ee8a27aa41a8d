import {Eye, EyeOff, KeyRound} from 'lucide'
import {define} from './icons.tsx'

/** Icons of API keys, kept out of the chat's first load. */
export const KeyIcon = /* @__PURE__ */ define(KeyRound)
export const RevealIcon = /* @__PURE__ */ define(Eye)
export const HideIcon = /* @__PURE__ */ define(EyeOff)
