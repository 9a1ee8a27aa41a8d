import {
  ArrowUpRight,
  ChevronLeft,
  ChevronsUpDown,
  Clock3,
  Download,
  Film,
  LayoutGrid,
  Maximize2,
  Minus,
  Pause,
  Play,
  Rows2,
  SkipBack,
  SkipForward,
  SlidersHorizontal,
  StepBack,
  StepForward,
  Volume2,
  VolumeX,
  WandSparkles,
} from 'lucide-react'
import {define} from './icons.tsx'

/*
 * Icons that only the media screens show; apart from the others so that they stay out of the chat's first load. Playing,
 * stepping and skipping point the same way in every language (design.md §5).
 */
export const BackIcon = /* @__PURE__ */ define(ChevronLeft, {mirrored: true})
export const DownloadIcon = /* @__PURE__ */ define(Download)
export const ExpandIcon = /* @__PURE__ */ define(Maximize2)
export const FilmIcon = /* @__PURE__ */ define(Film)
export const GridIcon = /* @__PURE__ */ define(LayoutGrid)
export const HistoryIcon = /* @__PURE__ */ define(Clock3)
export const ListIcon = /* @__PURE__ */ define(Rows2)
export const MinusIcon = /* @__PURE__ */ define(Minus)
export const MuteIcon = /* @__PURE__ */ define(VolumeX)
export const NextIcon = /* @__PURE__ */ define(SkipForward, {filled: true})
export const PauseIcon = /* @__PURE__ */ define(Pause, {filled: true})
export const PlayIcon = /* @__PURE__ */ define(Play, {filled: true})
export const PreviousIcon = /* @__PURE__ */ define(SkipBack, {filled: true})
export const SlidersIcon = /* @__PURE__ */ define(SlidersHorizontal)
export const StepBackIcon = /* @__PURE__ */ define(StepBack)
export const StepForwardIcon = /* @__PURE__ */ define(StepForward)
export const SwitchToolIcon = /* @__PURE__ */ define(ChevronsUpDown)
export const UseInIcon = /* @__PURE__ */ define(ArrowUpRight, {mirrored: true})
export const VolumeIcon = /* @__PURE__ */ define(Volume2)
export const WriteIcon = /* @__PURE__ */ define(WandSparkles)
