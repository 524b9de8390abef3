import { useEffect, useState } from 'react'
import type { drawingsOfScreens } from './icon-drawings.ts'

// Drawings of the frame and of what speaks of trouble: 24 × 24, stroked with the colour of the text around. They are there
// at once, and without a network; those of the screens are in a file that comes after the first screen.
const drawings = {
  user: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm-7.500 8.500c.8-3.600 3.700-5.500 7.500-5.500s6.700 1.900 7.500 5.500',
  camera:
    'M4 7h9.500A1.500 1.500 0 0 1 15 8.500v7a1.500 1.500 0 0 1-1.500 1.500H4a1.500 1.500 0 0 1-1.500-1.500v-7A1.500 1.500 0 0 1 4 7Zm11 4 6-3v8l-6-3',
  apps: 'M5 5h.01M12 5h.01M19 5h.01M5 12h.01M12 12h.01M19 12h.01M5 19h.01M12 19h.01M19 19h.01',
  shield: 'M12 3.500 5 6v5.500c0 4.300 2.900 7.500 7 9 4.100-1.500 7-4.700 7-9V6l-7-2.500Z',
  globe:
    'M12 3.500a8.500 8.500 0 1 0 0 17 8.500 8.500 0 0 0 0-17ZM3.500 12h17M12 3.500c2.400 2.400 3.500 5.200 3.500 8.500s-1.100 6.100-3.500 8.500c-2.400-2.400-3.500-5.200-3.500-8.500s1.100-6.100 3.500-8.500Z',
  help: 'M12 3.500a8.500 8.500 0 1 0 0 17 8.500 8.500 0 0 0 0-17ZM9.500 9.700a2.600 2.600 0 1 1 3.700 2.400c-.8.4-1.200.8-1.200 1.700M12 16.800h.01',
  chevronDown: 'm6.500 9.500 5.500 5.500 5.500-5.500',
  check: 'm5 12.500 4.500 4.500L19 7.500',
  close: 'm6 6 12 12M18 6 6 18',
  menu: 'M4 6.500h16M4 12h16M4 17.500h16',
  warning: 'M12 4.500 2.800 20h18.400L12 4.500ZM12 10v4.500M12 17.300h.01',
  info: 'M12 3.500a8.500 8.500 0 1 0 0 17 8.500 8.500 0 0 0 0-17ZM12 11v5.500M12 7.800h.01',
  success: 'M12 3.500a8.500 8.500 0 1 0 0 17 8.500 8.500 0 0 0 0-17ZM8.300 12.300l2.600 2.600 4.800-5.200',
  refresh: 'M19.500 12a7.500 7.500 0 1 1-2.200-5.300L19.500 9M19.500 4.500V9H15',
  offline:
    'M3 3l18 18M8.500 16.500a5 5 0 0 1 7 0M5.500 13a9.500 9.500 0 0 1 4.500-2.600M18.500 13a9.500 9.500 0 0 0-3-2.100M2.500 9.500a14 14 0 0 1 4.200-2.700M21.500 9.500A14 14 0 0 0 11 5.600M12 19.800h.01',
} as const

export type IconName = keyof typeof drawings | keyof typeof drawingsOfScreens

let later: typeof drawingsOfScreens | undefined
let coming: Promise<void> | undefined

function loadLater(): Promise<void> {
  coming ??= import('./icon-drawings.ts').then(
    (module) => {
      later = module.drawingsOfScreens
    },
    // Nothing is lost but a decoration; the next icon asks again.
    () => {
      coming = undefined
    },
  )
  return coming
}

const isOfFrame = (name: IconName): name is keyof typeof drawings => name in drawings

/** The path of a drawing; undefined while its file is on its way. */
function usePath(name: IconName): string | undefined {
  const [, drawAgain] = useState(false)
  const path = isOfFrame(name) ? drawings[name] : later?.[name]
  const isMissing = path === undefined
  useEffect(() => {
    if (isMissing) void loadLater().then(() => drawAgain(true))
  }, [isMissing])
  return path
}

interface IconProps {
  name: IconName
  /** CSS pixels; 20 unless told. */
  size?: number
  className?: string
  /** Points backwards in a right-to-left language. */
  mirrored?: boolean
}

/** A drawing without meaning of its own: what it stands for is written beside it or in the label of its button. */
export function Icon({ name, size = 20, className = '', mirrored = false }: IconProps) {
  const path = usePath(name)
  return (
    <svg
      aria-hidden="true"
      className={`shrink-0 ${mirrored ? 'rtl:-scale-x-100' : ''} ${className}`}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={name === 'apps' || name === 'more' ? 3 : 1.7}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={path} />
    </svg>
  )
}
