import { useState } from 'react'
import type { NavItem } from './AppShell.tsx'
import { Icon } from './Icon.tsx'
import { useKitText } from './kit-text.tsx'

/** Window width in CSS pixels from which the menu starts with labels; below it starts with icons. */
const ROOMY_PX = 1280

interface SideMenuProps {
  items: readonly NavItem[]
  /** Whether it starts as icons; by default, the width of the window decides. */
  startsFolded?: boolean | undefined
  onFold?: (folded: boolean) => void
}

/** The side menu of a wide window. It collapses to icons. */
export function SideMenu({ items, startsFolded, onFold }: SideMenuProps) {
  const text = useKitText()
  const [folded, setFolded] = useState(() => startsFolded ?? window.innerWidth < ROOMY_PX)
  const fold = () => {
    onFold?.(!folded)
    setFolded(!folded)
  }
  const line =
    'flex h-10 items-center gap-3 rounded-md px-2.5 font-medium text-muted transition-colors hover:bg-sunken hover:text-text pointer-coarse:h-11'
  const name = folded ? 'sr-only' : 'truncate'
  return (
    <nav
      aria-label={text('Menu')}
      className={`sticky top-15 hidden max-h-[calc(100dvh-3.75rem)] shrink-0 flex-col self-start overflow-y-auto py-4 lg:flex ${folded ? 'w-10 pointer-coarse:w-11' : 'w-52'}`}
    >
      <ul className="space-y-1">
        {items.map((item) => (
          <li key={item.href}>
            <a
              data-here
              href={item.href}
              aria-current={item.current ? 'page' : undefined}
              {...(folded ? { title: item.label } : {})}
              className={`${line} aria-[current]:bg-tint aria-[current]:text-link`}
            >
              <Icon name={item.icon} />
              <span className={name}>{item.label}</span>
            </a>
          </li>
        ))}
      </ul>
      <button
        type="button"
        aria-expanded={!folded}
        {...(folded ? { title: text('Expand menu') } : {})}
        onClick={fold}
        className={`${line} mt-3 border-t border-transparent`}
      >
        <Icon name="chevronLeft" mirrored={!folded} className={folded ? 'rotate-180 rtl:rotate-0' : ''} />
        <span className={name}>{text(folded ? 'Expand menu' : 'Collapse menu')}</span>
      </button>
    </nav>
  )
}
