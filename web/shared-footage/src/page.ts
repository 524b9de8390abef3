import { type ShareText, text } from './texts.ts'

/** A new element with its attributes and content. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>> = {},
  content: readonly (Node | string)[] = [],
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  made.append(...content)
  return made
}

export const paragraph = (key: ShareText, className = ''): HTMLElement =>
  element('p', className === '' ? {} : { class: className }, [text(key)])

/** Replaces what the page shows, and moves the focus to its heading, which screen readers then read. */
export function show(title: string, ...content: readonly Node[]): void {
  const heading = element('h1', { tabindex: '-1', dir: 'auto' }, [title])
  document.querySelector('#page')?.replaceChildren(heading, ...content)
  document.title = title
  heading.focus()
}
