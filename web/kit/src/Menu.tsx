import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Icon, type IconName } from './Icon.tsx'

export type MenuItem =
  | {
      readonly kind?: 'item'
      readonly label: string
      readonly icon?: IconName
      /** A page to go to; without it `onSelect` acts. */
      readonly href?: string
      readonly onSelect?: () => void
      /** The one of several that holds now; gets a tick. */
      readonly current?: boolean
      readonly danger?: boolean
      readonly disabled?: boolean
    }
  | { readonly kind: 'line' }
  | { readonly kind: 'heading'; readonly label: string; readonly detail?: string }

interface MenuProps {
  /** Accessible name of the button. */
  label: string
  /** What the button shows. */
  trigger: ReactNode
  triggerClass?: string
  items: readonly MenuItem[]
}

const itemClass =
  'flex w-full items-center gap-3 rounded-sm px-3 py-2 text-start outline-none hover:bg-sunken focus:bg-sunken aria-disabled:text-muted pointer-coarse:py-3'

function Item({ item }: { item: Exclude<MenuItem, { kind: 'line' } | { kind: 'heading' }> }) {
  const inside = (
    <>
      {item.icon === undefined ? null : <Icon name={item.icon} size={18} className="text-muted" />}
      <span className="grow truncate">{item.label}</span>
      {item.current === true ? <Icon name="check" size={18} className="text-link" /> : null}
    </>
  )
  const shared = {
    role: item.current === undefined ? 'menuitem' : 'menuitemradio',
    'aria-checked': item.current,
    'aria-disabled': item.disabled || undefined,
    tabIndex: -1,
    className: `${itemClass} ${item.danger === true ? 'text-danger-text' : ''}`,
  }
  if (item.href !== undefined) {
    return (
      <a {...shared} href={item.href}>
        {inside}
      </a>
    )
  }
  return (
    <button {...shared} type="button" onClick={item.disabled === true ? undefined : item.onSelect}>
      {inside}
    </button>
  )
}

const moves: Readonly<Record<string, (index: number, count: number) => number>> = {
  ArrowDown: (index, count) => (index + 1) % count,
  ArrowUp: (index, count) => (index - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
}

/**
 * A button with a list of actions or pages (WAI-ARIA menu button). The browser's popover closes it on Escape and on a
 * press elsewhere, and draws it above everything without making the page inert.
 */
export function Menu({ label, trigger, triggerClass = '', items }: MenuProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)

  const entries = () => [...(list.current?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])]
  const place = () => {
    const at = button.current?.getBoundingClientRect()
    if (at === undefined || list.current === null) return
    const { style } = list.current
    style.top = `${at.bottom + 6}px`
    const towardsEnd = (at.left + at.right) / 2 > window.innerWidth / 2
    style.left = towardsEnd ? 'auto' : `${Math.max(8, at.left)}px`
    style.right = towardsEnd ? `${Math.max(8, document.documentElement.clientWidth - at.right)}px` : 'auto'
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const all = entries()
    const index = all.indexOf(document.activeElement as HTMLElement)
    const move = moves[event.key]
    if (move !== undefined) {
      event.preventDefault()
      all[move(index, all.length)]?.focus()
    } else if (event.key === 'Tab') {
      list.current?.hidePopover()
    } else if (event.key.length === 1 && event.key !== ' ') {
      const letter = event.key.toLocaleLowerCase()
      const after = [...all.slice(index + 1), ...all.slice(0, index + 1)]
      after.find((entry) => entry.textContent?.trim().toLocaleLowerCase().startsWith(letter))?.focus()
    }
  }

  return (
    <>
      <button
        ref={button}
        type="button"
        popoverTarget={id}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-label={label}
        title={label}
        className={triggerClass}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') {
            event.preventDefault()
            list.current?.showPopover()
          }
        }}
      >
        {trigger}
      </button>
      {/* biome-ignore lint/a11y/noNoninteractiveElementInteractions: keys and presses of the entries bubble to the menu. */}
      <div
        ref={list}
        id={id}
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-label={label}
        onBeforeToggle={(event) => {
          // At once, because the entries must be there when the browser has opened the list and one gets the focus.
          flushSync(() => setOpen(event.newState === 'open'))
          if (event.newState === 'open') place()
        }}
        onToggle={(event) => {
          if (event.newState === 'open') entries()[0]?.focus()
        }}
        onKeyDown={onKeyDown}
        onClick={(event) => {
          if ((event.target as HTMLElement).closest('[role^=menuitem]:not([aria-disabled=true])'))
            list.current?.hidePopover()
        }}
        className="fixed inset-auto m-0 max-h-[70dvh] min-w-56 max-w-[calc(100vw-1rem)] overflow-y-auto rounded-md border border-border bg-raised p-1.5 text-sm text-text shadow-popup open:animate-rise"
      >
        {open
          ? items.map((item, index) => {
              if (item.kind === 'line') {
                // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place.
                return <hr key={index} className="my-1.5 border-border" />
              }
              if (item.kind === 'heading') {
                return (
                  <div key={item.label} role="presentation" className="px-3 py-2">
                    <p className="truncate font-medium">{item.label}</p>
                    {item.detail === undefined ? null : <p className="truncate text-xs text-muted">{item.detail}</p>}
                  </div>
                )
              }
              return <Item key={item.label} item={item} />
            })
          : null}
      </div>
    </>
  )
}
