import {Clock3, Film, Minus, Pause, SkipBack, SkipForward, StepBack, StepForward, Volume2, VolumeX} from 'lucide'
import {define} from './icons.tsx'

/** Icons of the viewer and the player, kept out of the first load of a media screen. */
export const ClipIcon = /* @__PURE__ */ define(Film)
export const HistoryIcon = /* @__PURE__ */ define(Clock3)
export const MinusIcon = /* @__PURE__ */ define(Minus)
export const MuteIcon = /* @__PURE__ */ define(VolumeX)
export const NextIcon = /* @__PURE__ */ define(SkipForward, {filled: true})
export const PauseIcon = /* @__PURE__ */ define(Pause, {filled: true})
export const PreviousIcon = /* @__PURE__ */ define(SkipBack, {filled: true})
export const StepBackIcon = /* @__PURE__ */ define(StepBack)
export const StepForwardIcon = /* @__PURE__ */ define(StepForward)
export const VolumeIcon = /* @__PURE__ */ define(Volume2)
