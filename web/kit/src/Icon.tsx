import Check from 'lucide-react/icons/check'
import ChevronDown from 'lucide-react/icons/chevron-down'
import CircleCheck from 'lucide-react/icons/circle-check'
import CircleQuestionMark from 'lucide-react/icons/circle-question-mark'
import Globe from 'lucide-react/icons/globe'
import Grip from 'lucide-react/icons/grip'
import Info from 'lucide-react/icons/info'
import Menu from 'lucide-react/icons/menu'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import Shield from 'lucide-react/icons/shield'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import User from 'lucide-react/icons/user'
import Video from 'lucide-react/icons/video'
import WifiOff from 'lucide-react/icons/wifi-off'
import X from 'lucide-react/icons/x'
import { lazyModule, useLazyModule } from './lazy-module.ts'
import type { screenIcons } from './screen-icons.ts'

// Icons of the frame and of errors. They are available immediately and without a network; the screens' icons are in a file
// that loads after the first screen. Each is imported individually, because the library has 1,800.
const frameIcons = {
  user: User,
  camera: Video,
  apps: Grip,
  shield: Shield,
  globe: Globe,
  help: CircleQuestionMark,
  chevronDown: ChevronDown,
  check: Check,
  close: X,
  menu: Menu,
  warning: TriangleAlert,
  info: Info,
  success: CircleCheck,
  refresh: RefreshCw,
  offline: WifiOff,
} as const

export type IconName = keyof typeof frameIcons | keyof typeof screenIcons

const later = lazyModule(() => import('./screen-icons.ts'))

const isOfFrame = (name: IconName): name is keyof typeof frameIcons => name in frameIcons

interface IconProps {
  name: IconName
  /** CSS pixels; 20 by default. */
  size?: number
  className?: string
  /** Mirrors the icon in right-to-left languages. */
  mirrored?: boolean
}

/** A decorative icon: its meaning is in the text next to it or the label of its button. */
export function Icon({ name, size = 20, className = '', mirrored = false }: IconProps) {
  const ofFrame = isOfFrame(name)
  const ofScreens = useLazyModule(later, !ofFrame)?.screenIcons
  const Drawing = ofFrame ? frameIcons[name] : ofScreens?.[name]
  const shape = `shrink-0 ${mirrored ? 'rtl:-scale-x-100' : ''} ${className}`
  // Reserves the space while the icon's file loads.
  if (Drawing === undefined) return <svg aria-hidden="true" className={shape} width={size} height={size} />
  return <Drawing aria-hidden="true" className={shape} size={size} strokeWidth={1.75} />
}
