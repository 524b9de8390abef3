/** Inline text, `**strong**` or not. */
export interface Run {
  readonly text: string
  readonly strong: boolean
}

export type Block =
  | { readonly kind: 'part' | 'section'; readonly anchor: string; readonly title: string }
  | { readonly kind: 'paragraph'; readonly runs: readonly Run[] }
  | { readonly kind: 'list'; readonly items: readonly (readonly Run[])[] }

export interface ReadText {
  /** The first heading. */
  readonly title: string
  readonly blocks: readonly Block[]
}

/** Parses the Markdown subset of legal texts (contract `legal-texts`). Anything else is plain text. */
export function readText(text: string, company: string): ReadText {
  const chunks = text.replaceAll('{company}', company).split(/\n{2,}/)
  const blocks = withOwnAnchors(chunks.flatMap((chunk) => blocksOf(chunk.trim())))
  const [first] = blocks
  if (first?.kind !== 'part') return { title: '', blocks }
  return { title: first.title, blocks: blocks.slice(1) }
}

function blocksOf(chunk: string): readonly Block[] {
  if (chunk === '') return []
  const [line = '', ...rest] = chunk.split('\n')
  const heading = /^(##?) +(.+?)(?: +\{#([a-z0-9-]+)\})?$/.exec(line)
  if (heading !== null) {
    const [, marks, title = '', anchor = anchorOf(title)] = heading
    return [{ kind: marks === '#' ? 'part' : 'section', anchor, title }, ...blocksOf(rest.join('\n').trim())]
  }
  const firstItem = [line, ...rest].findIndex((each) => each.startsWith('- '))
  if (firstItem < 0) return [{ kind: 'paragraph', runs: runsOf(chunk.replaceAll('\n', ' ')) }]
  const before = [line, ...rest].slice(0, firstItem).join(' ')
  const items = [line, ...rest].slice(firstItem).join('\n').split(/^- /m).slice(1)
  const list: Block = { kind: 'list', items: items.map((item) => runsOf(item.trim().replaceAll('\n', ' '))) }
  return before === '' ? [list] : [{ kind: 'paragraph', runs: runsOf(before) }, list]
}

const runsOf = (text: string): readonly Run[] =>
  text
    .split(/\*\*(.+?)\*\*/)
    .map((part, index) => ({ text: part, strong: index % 2 === 1 }))
    .filter((run) => run.text !== '')

const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')

/** Each anchor is unique: a repeated name gets a number. */
function withOwnAnchors(blocks: readonly Block[]): readonly Block[] {
  const seen = new Map<string, number>()
  return blocks.map((block) => {
    if (block.kind !== 'part' && block.kind !== 'section') return block
    const times = (seen.get(block.anchor) ?? 0) + 1
    seen.set(block.anchor, times)
    return times === 1 ? block : { ...block, anchor: `${block.anchor}-${times}` }
  })
}
