import {
  AlertTriangle,
  ArrowDown,
  ArrowUp,
  Check,
  ChevronDown,
  ChevronRight,
  CircleUser,
  Clock,
  Copy,
  CornerDownLeft,
  CreditCard,
  ExternalLink,
  FileText,
  Gift,
  Globe,
  Image,
  Info,
  LayoutPanelTop,
  ListChecks,
  LogOut,
  Menu,
  MessageCircle,
  Monitor,
  Moon,
  Ellipsis,
  Music,
  PanelLeft,
  Paperclip,
  Pencil,
  Plus,
  RotateCcw,
  Search,
  Settings,
  Square,
  SquarePen,
  Sun,
  Trash2,
  Upload,
  Video,
  Wallet,
  WifiOff,
  WrapText,
  X,
  type LucideIcon,
} from 'lucide-react'
import {classNames} from './class-names.ts'
import styles from './icons.module.css'

type IconProps = {size?: 14 | 16 | 20; className?: string}
export type Icon = (props: IconProps) => React.JSX.Element

/** An icon is decoration: the control that carries it has the name. */
function define(Drawing: LucideIcon, {mirrored = false, filled = false} = {}): Icon {
  return function DrawnIcon({size = 16, className}) {
    return (
      <Drawing
        aria-hidden="true"
        focusable="false"
        size={size}
        strokeWidth={size === 20 ? 1.55 : 1.6}
        {...(filled ? {fill: 'currentColor'} : {})}
        className={classNames(styles.icon, mirrored && styles.mirrored, className)}
      />
    )
  }
}

export const AlertIcon = define(AlertTriangle)
export const AddIcon = define(Plus)
export const ArrowDownIcon = define(ArrowDown)
export const AttachIcon = define(Paperclip)
export const ChatIcon = define(MessageCircle)
export const CheckIcon = define(Check)
export const ChevronDownIcon = define(ChevronDown)
export const ChevronEndIcon = define(ChevronRight, {mirrored: true})
export const ClockIcon = define(Clock)
export const CloseIcon = define(X)
export const ConsoleIcon = define(LayoutPanelTop)
export const CopyIcon = define(Copy)
export const CreditCardIcon = define(CreditCard)
export const DeleteIcon = define(Trash2)
export const EditIcon = define(Pencil)
export const EnterIcon = define(CornerDownLeft, {mirrored: true})
export const ExternalLinkIcon = define(ExternalLink, {mirrored: true})
export const FileIcon = define(FileText)
export const ImageIcon = define(Image)
export const InfoIcon = define(Info)
export const InviteIcon = define(Gift)
export const LanguageIcon = define(Globe)
export const LogOutIcon = define(LogOut, {mirrored: true})
export const MenuIcon = define(Menu)
export const MoonIcon = define(Moon)
export const MoreIcon = define(Ellipsis)
export const MusicIcon = define(Music)
export const NewChatIcon = define(SquarePen)
export const OfflineIcon = define(WifiOff)
export const RetryIcon = define(RotateCcw, {mirrored: true})
export const SearchIcon = define(Search)
/** Points up in both directions of writing, so it is not mirrored. */
export const SendIcon = define(ArrowUp)
export const SettingsIcon = define(Settings)
export const SidebarIcon = define(PanelLeft, {mirrored: true})
export const StopIcon = define(Square, {filled: true})
export const SunIcon = define(Sun)
export const SystemThemeIcon = define(Monitor)
export const TasksIcon = define(ListChecks, {mirrored: true})
export const UploadIcon = define(Upload)
export const UserIcon = define(CircleUser)
export const VideoIcon = define(Video)
export const WalletIcon = define(Wallet)
export const WrapIcon = define(WrapText, {mirrored: true})
