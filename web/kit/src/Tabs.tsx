import { useEffect, useRef } from 'react'

export interface Tab {
  readonly href: string
  readonly label: string
  readonly current: boolean
}

/** The pages of one object, each with its own URL: links, so they can open in a new tab and are in the history. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  const list = useRef<HTMLUListElement>(null)
  const now = tabs.findIndex((tab) => tab.current)
  useEffect(() => {
    const row = list.current
    const tab = row?.children[now]
    if (row === null || !(tab instanceof HTMLElement)) return
    // scrollIntoView would also scroll the page.
    const middle = tab.offsetLeft + tab.offsetWidth / 2 - row.clientWidth / 2
    row.scrollTo({ left: middle })
  }, [now])
  return (
    <nav aria-label={label} className="mb-6 border-b border-border">
      <ul ref={list} className="relative -mb-px flex gap-1 overflow-x-auto [scrollbar-width:thin]">
        {tabs.map((tab) => (
          <li key={tab.href}>
            <a
              data-here
              href={tab.href}
              aria-current={tab.current ? 'page' : undefined}
              className="inline-flex h-11 items-center border-b-2 border-transparent px-3 font-medium whitespace-nowrap text-muted -outline-offset-2 transition-colors hover:text-text aria-[current]:border-control aria-[current]:text-text"
            >
              {tab.label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
