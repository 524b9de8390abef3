import { type MouseEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { AppSwitcher, type ShellApp } from './AppSwitcher.tsx'
import { IconButton } from './Button.tsx'
import { Header, MIDDLE } from './Header.tsx'
import { Icon, type IconName } from './Icon.tsx'
import { useKitText } from './kit-text.tsx'
import { Logo, type ShellBrand } from './Logo.tsx'

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
  /** Where the logo leads. */
  home: string
  /** The other applications of the brand; with fewer than two there is no switcher. */
  apps?: readonly ShellApp[]
  /** Controls of the header's end: language, account. */
  tools?: ReactNode
  nav?: readonly NavItem[]
  /** Stands beside the content of a wide window instead of the menu that {@link nav} makes there. */
  sideMenu?: ReactNode
  /** A plain press on a link marked `data-here`, wherever inside; the app's router goes there. */
  onNavigate: (href: string) => void
  /** Above the content, over its whole width: support session, lost connection. */
  banner?: ReactNode
  footerLinks?: readonly ShellLink[]
  /** Uses the whole window for the content, without footer. */
  wide?: boolean
  children: ReactNode
}

/** Hands plain presses on links marked `data-here` to the router; with a modifier key the browser does its own. */
function followHere(event: MouseEvent, onNavigate: (href: string) => void): void {
  const link = (event.target as Element).closest('a')
  const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
  if (link === null || !plain || event.defaultPrevented || link.target !== '' || link.dataset.here === undefined) return
  event.preventDefault()
  onNavigate(link.getAttribute('href') ?? '/')
}

function Nav({ items, label }: { items: readonly NavItem[]; label: string }) {
  return (
    <nav aria-label={label}>
      <ul className="space-y-1">
        {items.map((item) => (
          <li key={item.href}>
            <a
              data-here
              href={item.href}
              aria-current={item.current ? 'page' : undefined}
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

interface DrawerProps {
  open: boolean
  onClose: () => void
  title: ReactNode
  children: ReactNode
}

function Drawer({ open, onClose, title, children }: DrawerProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const text = useKitText()
  useEffect(() => {
    const dialog = ref.current
    if (dialog === null || dialog.open === open) return
    if (open) dialog.showModal()
    else dialog.close()
  }, [open])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the press on the backdrop has its key, Escape, from the browser.
    <dialog
      ref={ref}
      aria-label={text('Menu')}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === event.currentTarget || (event.target as Element).closest('a') !== null) onClose()
      }}
      className="m-0 h-dvh max-h-none w-72 max-w-[85vw] border-e border-border bg-surface p-0 text-text shadow-popup"
    >
      {open ? (
        <div className="flex h-full flex-col gap-4 overflow-y-auto p-3">
          <div className="flex items-center justify-between ps-3">
            {title}
            <IconButton icon="close" label={text('Close menu')} onClick={onClose} />
          </div>
          {children}
        </div>
      ) : null}
    </dialog>
  )
}

/** Header, menu, content and footer of every application. On a narrow window the menu becomes a drawer. */
export function AppShell(props: AppShellProps) {
  const {
    brand,
    home,
    apps = [],
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
  const text = useKitText()
  const frame = wide ? 'w-full px-3 sm:px-4' : MIDDLE
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: links have their own keys, which arrive here as a click.
    // biome-ignore lint/a11y/noStaticElementInteractions: it only hands the presses on links to the router.
    <div className="flex min-h-[inherit] flex-col" onClick={(event) => followHere(event, onNavigate)}>
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
        {apps.length < 2 ? null : <AppSwitcher apps={apps} />}
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
        <main
          id="content"
          tabIndex={-1}
          className={`min-w-0 grow outline-none ${wide ? 'py-3 sm:py-4' : 'py-6 sm:py-8'}`}
        >
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
      <Drawer open={drawer} onClose={() => setDrawer(false)} title={<Logo brand={brand} />}>
        <Nav items={nav} label={text('Menu')} />
      </Drawer>
    </div>
  )
}
