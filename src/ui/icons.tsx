import {
  AlertTriangle,
  ArrowUp,
  Check,
  ChevronDown,
  ChevronRight,
  Copy,
  ExternalLink,
  Gift,
  Image,
  Info,
  ListChecks,
  Menu,
  MessageCircle,
  Ellipsis,
  Music,
  PanelLeft,
  PanelsTopLeft,
  Paperclip,
  Plus,
  RotateCcw,
  Square,
  SquarePen,
  UserRound,
  Video,
  Wallet,
  WifiOff,
  X,
  type IconNode,
} from 'lucide'
import {createElement} from 'react'
import {classNames} from './class-names.ts'
import styles from './icons.module.css'

type IconProps = {size?: 14 | 16 | 20; className?: string}
export type Icon = (props: IconProps) => React.JSX.Element

/** Icons are decorative: the control around an icon carries the name. */
export function define(drawing: IconNode, {mirrored = false, filled = false} = {}): Icon {
  const shapes = drawing.map(([tag, attributes]) => createElement(tag, attributes))
  return function DrawnIcon({size = 16, className}) {
    return createElement(
      'svg',
      {
        'aria-hidden': true,
        focusable: false,
        width: size,
        height: size,
        viewBox: '0 0 24 24',
        fill: filled ? 'currentColor' : 'none',
        stroke: 'currentColor',
        strokeWidth: size === 20 ? 1.55 : 1.6,
        strokeLinecap: 'round',
        strokeLinejoin: 'round',
        className: classNames(styles.icon, mirrored && styles.mirrored, className),
      },
      ...shapes,
    )
  }
}

export const AlertIcon = /* @__PURE__ */ define(AlertTriangle)
export const AddIcon = /* @__PURE__ */ define(Plus)
export const AttachIcon = /* @__PURE__ */ define(Paperclip)
export const ChatIcon = /* @__PURE__ */ define(MessageCircle)
export const CheckIcon = /* @__PURE__ */ define(Check)
export const ChevronDownIcon = /* @__PURE__ */ define(ChevronDown)
export const ChevronEndIcon = /* @__PURE__ */ define(ChevronRight, {mirrored: true})
export const CloseIcon = /* @__PURE__ */ define(X)
export const ConsoleIcon = /* @__PURE__ */ define(PanelsTopLeft)
export const CopyIcon = /* @__PURE__ */ define(Copy)
export const ExternalLinkIcon = /* @__PURE__ */ define(ExternalLink, {mirrored: true})
export const ImageIcon = /* @__PURE__ */ define(Image)
export const InfoIcon = /* @__PURE__ */ define(Info)
export const InviteIcon = /* @__PURE__ */ define(Gift)
export const MenuIcon = /* @__PURE__ */ define(Menu)
export const MoreIcon = /* @__PURE__ */ define(Ellipsis)
export const MusicIcon = /* @__PURE__ */ define(Music)
export const NewChatIcon = /* @__PURE__ */ define(SquarePen)
export const OfflineIcon = /* @__PURE__ */ define(WifiOff)
export const RetryIcon = /* @__PURE__ */ define(RotateCcw, {mirrored: true})
/** Not mirrored: it points up in both writing directions. */
export const SendIcon = /* @__PURE__ */ define(ArrowUp)
export const SidebarIcon = /* @__PURE__ */ define(PanelLeft, {mirrored: true})
export const StopIcon = /* @__PURE__ */ define(Square, {filled: true})
export const TasksIcon = /* @__PURE__ */ define(ListChecks)
export const UserIcon = /* @__PURE__ */ define(UserRound)
export const VideoIcon = /* @__PURE__ */ define(Video)
export const WalletIcon = /* @__PURE__ */ define(Wallet)
