import type { Block, Run } from './read-text.ts'

type Heading = Extract<Block, { kind: 'part' | 'section' }>

const isHeading = (block: Block): block is Heading => block.kind === 'part' || block.kind === 'section'

/** Links to the sections. */
export function Contents({ blocks }: { blocks: readonly Block[] }) {
  return (
    <ol lang="en" dir="ltr" className="grid gap-x-8 gap-y-1 sm:grid-cols-2">
      {blocks.filter(isHeading).map((heading) => (
        <li key={heading.anchor} className={heading.kind === 'part' ? 'pt-2 font-semibold sm:col-span-2' : ''}>
          <a href={`#${heading.anchor}`} className="inline-block py-1 hover:underline">
            {heading.title}
          </a>
        </li>
      ))}
    </ol>
  )
}

const Runs = ({ runs }: { runs: readonly Run[] }) =>
  runs.map(({ text, strong }) => (strong ? <strong key={text}>{text}</strong> : text))

function LegalBlock({ block }: { block: Block }) {
  switch (block.kind) {
    case 'part':
      return (
        <h2 id={block.anchor} className="scroll-mt-20 border-t border-border pt-6 text-xl font-semibold">
          {block.title}
        </h2>
      )
    case 'section':
      return (
        <h3 id={block.anchor} className="scroll-mt-20 break-after-avoid pt-3 text-base font-semibold">
          {block.title}
        </h3>
      )
    case 'paragraph':
      return (
        <p>
          <Runs runs={block.runs} />
        </p>
      )
    case 'list':
      return (
        <ul className="list-disc space-y-1.5 ps-5">
          {block.items.map((runs, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a text that was read never changes
            <li key={index}>
              <Runs runs={runs} />
            </li>
          ))}
        </ul>
      )
  }
}

/** The text itself, in English regardless of the reader's language. */
export function LegalBlocks({ blocks }: { blocks: readonly Block[] }) {
  return (
    <article lang="en" dir="ltr" className="max-w-prose space-y-3 leading-relaxed">
      {blocks.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a text that was read never changes
        <LegalBlock key={index} block={block} />
      ))}
    </article>
  )
}
