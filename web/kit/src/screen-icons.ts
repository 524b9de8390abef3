import ArrowLeftToLine from 'lucide-react/icons/arrow-left-to-line'
import ArrowRightToLine from 'lucide-react/icons/arrow-right-to-line'
import Ban from 'lucide-react/icons/ban'
import Bell from 'lucide-react/icons/bell'
import Bookmark from 'lucide-react/icons/bookmark'
import Calendar from 'lucide-react/icons/calendar'
import ChartColumn from 'lucide-react/icons/chart-column'
import ChevronFirst from 'lucide-react/icons/chevron-first'
import ChevronLast from 'lucide-react/icons/chevron-last'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import ChevronUp from 'lucide-react/icons/chevron-up'
import Clock from 'lucide-react/icons/clock'
import Copy from 'lucide-react/icons/copy'
import CreditCard from 'lucide-react/icons/credit-card'
import Crosshair from 'lucide-react/icons/crosshair'
import Database from 'lucide-react/icons/database'
import Download from 'lucide-react/icons/download'
import EllipsisVertical from 'lucide-react/icons/ellipsis-vertical'
import ExternalLink from 'lucide-react/icons/external-link'
import Eye from 'lucide-react/icons/eye'
import EyeOff from 'lucide-react/icons/eye-off'
import Film from 'lucide-react/icons/film'
import House from 'lucide-react/icons/house'
import ImageDown from 'lucide-react/icons/image-down'
import KeyRound from 'lucide-react/icons/key-round'
import LayoutGrid from 'lucide-react/icons/layout-grid'
import Link from 'lucide-react/icons/link'
import List from 'lucide-react/icons/list'
import Lock from 'lucide-react/icons/lock'
import LogOut from 'lucide-react/icons/log-out'
import Mail from 'lucide-react/icons/mail'
import MapPin from 'lucide-react/icons/map-pin'
import Maximize from 'lucide-react/icons/maximize'
import Mic from 'lucide-react/icons/mic'
import Minus from 'lucide-react/icons/minus'
import Monitor from 'lucide-react/icons/monitor'
import Moon from 'lucide-react/icons/moon'
import Move from 'lucide-react/icons/move'
import Pause from 'lucide-react/icons/pause'
import Pencil from 'lucide-react/icons/pencil'
import Play from 'lucide-react/icons/play'
import Plus from 'lucide-react/icons/plus'
import Printer from 'lucide-react/icons/printer'
import RotateCcw from 'lucide-react/icons/rotate-ccw'
import RotateCw from 'lucide-react/icons/rotate-cw'
import Search from 'lucide-react/icons/search'
import Server from 'lucide-react/icons/server'
import Settings from 'lucide-react/icons/settings'
import StepBack from 'lucide-react/icons/step-back'
import StepForward from 'lucide-react/icons/step-forward'
import Sun from 'lucide-react/icons/sun'
import Trash2 from 'lucide-react/icons/trash-2'
import Users from 'lucide-react/icons/users'
import Volume2 from 'lucide-react/icons/volume-2'
import VolumeX from 'lucide-react/icons/volume-x'

/** Icons that only screens show; `Icon.tsx` has those of the frame. */
export const screenIcons = {
  users: Users,
  play: Play,
  pause: Pause,
  stepBack: StepBack,
  previousEvent: ChevronFirst,
  nextEvent: ChevronLast,
  markStart: ArrowLeftToLine,
  markEnd: ArrowRightToLine,
  stepForward: StepForward,
  film: Film,
  mail: Mail,
  clock: Clock,
  search: Search,
  settings: Settings,
  chevronRight: ChevronRight,
  chevronLeft: ChevronLeft,
  external: ExternalLink,
  plus: Plus,
  minus: Minus,
  trash: Trash2,
  edit: Pencil,
  volume: Volume2,
  volumeOff: VolumeX,
  fullScreen: Maximize,
  link: Link,
  skipBack: RotateCcw,
  skipForward: RotateCw,
  pin: MapPin,
  list: List,
  key: KeyRound,
  more: EllipsisVertical,
  copy: Copy,
  print: Printer,
  block: Ban,
  chart: ChartColumn,
  disks: Database,
  server: Server,
  eye: Eye,
  eyeOff: EyeOff,
  download: Download,
  savePicture: ImageDown,
  sun: Sun,
  moon: Moon,
  monitor: Monitor,
  grid: LayoutGrid,
  lock: Lock,
  logout: LogOut,
  bell: Bell,
  card: CreditCard,
  calendar: Calendar,
  bookmark: Bookmark,
  chevronUp: ChevronUp,
  crosshair: Crosshair,
  house: House,
  move: Move,
  microphone: Mic,
} as const
