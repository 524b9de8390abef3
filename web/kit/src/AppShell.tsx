import { type MouseEvent, type ReactNode, useRef, useState } from 'react'
import { AppSwitcher, type ShellApp } from './AppSwitcher.tsx'
import { IconButton } from './Button.tsx'
import { useDialogWindow } from './dialog-window.ts'
import { contentPadding, frameClass, Header } from './Header.tsx'
import { Icon, type IconName } from './Icon.tsx'
import { useKitText } from './kit-text.tsx'
import { Logo, type ShellBrand } from './Logo.tsx'
import { isPlainPress } from './plain-press.ts'
import { useKeptFocus } from './use-kept-focus.ts'

export interface NavItem {
  readonly href: string
  readonly label: string
  readonly icon: IconName
  readonly current: boolean
}

export interface ShellLink {
  readonly label: string
  readonly href: string
}

export interface AppShellProps {
  brand: ShellBrand
  /** The page that the logo links to. */
  home: string
  /** The brand's applications; with fewer than two there is no switcher. */
  apps?: readonly ShellApp[]
  /** Called for a plain click on another application. */
  onLaunch?: ((href: string) => void) | undefined
  /** Controls at the end of the header: language, account. */
  tools?: ReactNode
  nav?: readonly NavItem[]
  /** On a wide window, replaces the side menu made from {@link nav}. */
  sideMenu?: ReactNode
  /** Called for a plain click on any link marked `data-here`; the app's router navigates. */
  onNavigate: (href: string) => void
  /** Full-width notices above the content: support session, lost connection. */
  banner?: ReactNode
  footerLinks?: readonly ShellLink[]
  /** The content uses the whole window, without a footer. */
  wide?: boolean
  children: ReactNode
}

/** Passes plain clicks on links marked `data-here` to the router; the browser handles clicks with a modifier key. */
function followHere(event: MouseEvent, onNavigate: (href: string) => void): void {
  const link = (event.target as Element).closest('a')
  if (
    link === null ||
    !isPlainPress(event) ||
    event.defaultPrevented ||
    link.target !== '' ||
    link.dataset.here === undefined
  )
    return
  event.preventDefault()
  onNavigate(link.getAttribute('href') ?? '/')
}

interface NavProps {
  items: readonly NavItem[]
  label: string
  /** Called when a link is clicked. */
  onFollow?: () => void
}

function Nav({ items, label, onFollow }: NavProps) {
  return (
    <nav aria-label={label}>
      <ul className="space-y-1">
        {items.map((item) => (
          <li key={item.href}>
            <a
              data-here
              href={item.href}
              aria-current={item.current ? 'page' : undefined}
              onClick={onFollow}
              className="flex h-10 items-center gap-3 rounded-md px-3 font-medium text-muted transition-colors hover:bg-sunken hover:text-text aria-[current]:bg-tint aria-[current]:text-link pointer-coarse:h-11"
            >
              <Icon name={item.icon} />
              {item.label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** Header, menu, content and footer of every application. On a narrow window the menu is a drawer. */
export function AppShell(props: AppShellProps) {
  const {
    brand,
    home,
    apps = [],
    onLaunch,
    tools,
    nav = [],
    sideMenu,
    onNavigate,
    banner,
    footerLinks = [],
    wide = false,
    children,
  } = props
  const [drawer, setDrawer] = useState(false)
  const windows = useDialogWindow(drawer)
  const text = useKitText()
  const frame = frameClass(wide)
  const content = useRef<HTMLElement>(null)
  useKeptFocus(content)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: links turn their own keys into clicks.
    // biome-ignore lint/a11y/noStaticElementInteractions: it only passes clicks on links to the router.
    <div
      className="flex min-h-[inherit] flex-col"
      data-wide={wide ? '' : undefined}
      onClick={(event) => followHere(event, onNavigate)}
    >
      <a
        href="#content"
        className="sr-only z-50 focus:not-sr-only focus:fixed focus:start-3 focus:top-3 focus:rounded-md focus:bg-raised focus:px-4 focus:py-2 focus:text-link"
      >
        {text('Skip to content')}
      </a>
      <Header
        frame={frame}
        logo={{ brand, home }}
        menu={
          nav.length === 0 ? null : (
            <IconButton
              icon="menu"
              label={text('Open menu')}
              aria-haspopup="dialog"
              onClick={() => setDrawer(true)}
              className="-ms-2 lg:hidden"
            />
          )
        }
      >
        {apps.length < 2 ? null : <AppSwitcher apps={apps} onLaunch={onLaunch} />}
        {tools}
      </Header>
      {banner}
      <div className={`flex grow ${wide ? 'gap-4' : 'gap-8'} ${frame}`}>
        {sideMenu ??
          (nav.length === 0 ? null : (
            <div className="sticky top-15 hidden w-56 shrink-0 self-start py-8 lg:block">
              <Nav items={nav} label={text('Menu')} />
            </div>
          ))}
        <main ref={content} id="content" tabIndex={-1} className={`min-w-0 grow outline-none ${contentPadding(wide)}`}>
          {children}
        </main>
      </div>
      {wide || footerLinks.length === 0 ? null : (
        <footer className="border-t border-border print:hidden">
          <div className={`flex flex-wrap items-center gap-x-6 gap-y-2 py-5 text-xs text-muted ${frame}`}>
            <span className="me-auto">{brand.companyName}</span>
            {footerLinks.map((link) => (
              <a
                key={link.href}
                href={link.href}
                {...(link.href.startsWith('/') ? { 'data-here': true } : {})}
                className="py-0.5 hover:text-text hover:underline pointer-coarse:py-3.5"
              >
                {link.label}
              </a>
            ))}
          </div>
        </footer>
      )}
      {drawer && windows !== undefined ? (
        <windows.DrawerWindow onClose={() => setDrawer(false)} title={<Logo brand={brand} />}>
          <Nav items={nav} label={text('Menu')} onFollow={() => setDrawer(false)} />
        </windows.DrawerWindow>
      ) : null}
    </div>
  )
}
