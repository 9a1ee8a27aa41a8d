import {
  ArrowUpRight,
  ChevronsUpDown,
  Download,
  GripVertical,
  LayoutGrid,
  Maximize2,
  Play,
  Rows2,
  SlidersHorizontal,
  Upload,
  WandSparkles,
} from 'lucide'
import {define} from './icons.tsx'

/*
 * Icons of the media screens, kept out of the chat's first load. Play, step and skip icons are not mirrored (design.md
 * §5).
 */
export const DownloadIcon = /* @__PURE__ */ define(Download)
export const ExpandIcon = /* @__PURE__ */ define(Maximize2)
export const GridIcon = /* @__PURE__ */ define(LayoutGrid)
export const ListIcon = /* @__PURE__ */ define(Rows2)
export const MoveIcon = /* @__PURE__ */ define(GripVertical)
export const PlayIcon = /* @__PURE__ */ define(Play, {filled: true})
export const SlidersIcon = /* @__PURE__ */ define(SlidersHorizontal)
export const SwitchToolIcon = /* @__PURE__ */ define(ChevronsUpDown)
export const UploadIcon = /* @__PURE__ */ define(Upload)
export const UseInIcon = /* @__PURE__ */ define(ArrowUpRight, {mirrored: true})
export const WriteIcon = /* @__PURE__ */ define(WandSparkles)
