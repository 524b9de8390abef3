import { useEffect, useRef } from 'react'

export interface Tab {
  readonly href: string
  readonly label: string
  readonly current: boolean
}

interface TabsProps {
  label: string
  tabs: readonly Tab[]
  /** For many tabs: a list beside the content where the window is wide enough. */
  beside?: boolean
}

/** The look of {@link TabsProps.beside} in a wide window. */
const besideClass = {
  nav: 'lg:sticky lg:top-19 lg:mb-0 lg:w-52 lg:shrink-0 lg:self-start lg:border-b-0',
  list: 'lg:mb-0 lg:flex-col lg:overflow-visible',
  tab: 'lg:flex lg:h-auto lg:min-h-10 lg:rounded-md lg:border-b-0 lg:py-2 lg:whitespace-normal lg:hover:bg-sunken lg:aria-[current]:bg-tint lg:aria-[current]:text-link',
} as const
const noClass = { nav: '', list: '', tab: '' } as const

/** The pages of one object, each with its own URL: links, so they can open in a new tab and are in the history. */
export function Tabs({ label, tabs, beside = false }: TabsProps) {
  const look = beside ? besideClass : noClass
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
    <nav aria-label={label} className={`mb-6 border-b border-border ${look.nav}`}>
      <ul ref={list} className={`relative -mb-px flex gap-1 overflow-x-auto [scrollbar-width:thin] ${look.list}`}>
        {tabs.map((tab) => (
          <li key={tab.href}>
            <a
              data-here
              href={tab.href}
              aria-current={tab.current ? 'page' : undefined}
              className={`inline-flex h-11 items-center border-b-2 border-transparent px-3 font-medium whitespace-nowrap text-muted -outline-offset-2 transition-colors hover:text-text aria-[current]:border-control aria-[current]:text-text ${look.tab}`}
            >
              {tab.label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
