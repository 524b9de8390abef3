import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Icon, type IconName } from './Icon.tsx'
import { placeUnder } from './popup-place.ts'

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
  /** What the button opens: its name, after whatever `trigger` writes. */
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

const entriesOf = (list: HTMLElement) => [...list.querySelectorAll<HTMLElement>('[role^=menuitem]')]

/** The keys inside an open menu: arrows, Home and End move, a letter looks for the next entry that begins with it. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const list = event.currentTarget
  const entries = entriesOf(list)
  const index = entries.indexOf(document.activeElement as HTMLElement)
  const move = moves[event.key]
  if (move !== undefined) {
    event.preventDefault()
    entries[move(index, entries.length)]?.focus()
  } else if (event.key === 'Tab') {
    list.hidePopover()
  } else if (event.key.length === 1 && event.key !== ' ') {
    const letter = event.key.toLocaleLowerCase()
    const after = [...entries.slice(index + 1), ...entries.slice(0, index + 1)]
    after.find((entry) => entry.textContent?.trim().toLocaleLowerCase().startsWith(letter))?.focus()
  }
}

function Entry({ item }: { item: MenuItem }) {
  if (item.kind === 'line') return <hr className="my-1.5 border-border" />
  if (item.kind !== 'heading') return <Item item={item} />
  return (
    <div role="presentation" className="px-3 py-2">
      <p className="truncate font-medium">{item.label}</p>
      {item.detail === undefined ? null : <p className="truncate text-xs text-muted">{item.detail}</p>}
    </div>
  )
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
  return (
    <>
      <button
        ref={button}
        type="button"
        popoverTarget={id}
        aria-haspopup="menu"
        aria-expanded={open}
        title={label}
        className={triggerClass}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          list.current?.showPopover()
        }}
      >
        {trigger}
        <span className="sr-only">{label}</span>
      </button>
      <div
        ref={list}
        id={id}
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-label={label}
        onBeforeToggle={(event) => {
          const opens = event.newState === 'open'
          // The browser would give the focus back too late: with the entries, what has it is gone.
          if (!opens && event.currentTarget.contains(document.activeElement)) button.current?.focus()
          // At once, because the entries must be there when the browser has opened the list and one gets the focus.
          flushSync(() => setOpen(opens))
          if (opens) placeUnder(button.current, event.currentTarget)
        }}
        onToggle={(event) => {
          if (event.newState === 'open') entriesOf(event.currentTarget)[0]?.focus()
        }}
        onKeyDown={moveFocus}
        onClick={(event) => {
          const entry = (event.target as Element).closest('[role^=menuitem]')
          if (entry !== null && entry.getAttribute('aria-disabled') !== 'true') event.currentTarget.hidePopover()
        }}
        className="fixed inset-auto m-0 max-h-[70dvh] max-w-[calc(100vw-1rem)] min-w-56 overflow-y-auto rounded-md border border-border bg-raised p-1.5 text-sm text-text shadow-popup open:animate-rise"
      >
        {/* Entries have no identity but their place. */}
        {/* biome-ignore lint/suspicious/noArrayIndexKey: see above. */}
        {open ? items.map((item, index) => <Entry key={index} item={item} />) : null}
      </div>
    </>
  )
}
