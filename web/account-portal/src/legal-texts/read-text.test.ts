import { describe, expect, test } from 'vitest'
import { readText } from './read-text.ts'

const plain = (text: string) => [{ text, strong: false }]

describe('a legal text', () => {
  test('has a title, parts, sections, paragraphs and lists, with the brand’s name', () => {
    const { title, blocks } = readText(
      '# Terms of {company}\n\nHello\nthere.\n\n## 1. Fees\n\n- **Due** in 15 days\n- or\n  later\n\n# Privacy {#privacy}\n',
      'Blue Eye',
    )
    expect(title).toBe('Terms of Blue Eye')
    expect(blocks).toEqual([
      { kind: 'paragraph', runs: plain('Hello there.') },
      { kind: 'section', anchor: '1-fees', title: '1. Fees' },
      { kind: 'list', items: [[{ text: 'Due', strong: true }, ...plain(' in 15 days')], plain('or   later')] },
      { kind: 'part', anchor: 'privacy', title: 'Privacy' },
    ])
  })
  test('needs no blank line between heading and text, or between sentence and list', () => {
    const { blocks } = readText('# T\n## A\nWe share\n- this\n- that', '')
    expect(blocks.map(({ kind }) => kind)).toEqual(['section', 'paragraph', 'list'])
  })
  test('has unique anchors', () => {
    const { blocks } = readText('# T\n\n## Use\n\n## Use\n\n## ***', '')
    expect(blocks.map((block) => 'anchor' in block && block.anchor)).toEqual(['use', 'use-2', ''])
  })
  test('does not interpret HTML or links', () => {
    const { blocks } = readText('# T\n\n<script>x</script> [a](javascript:x)', '')
    expect(blocks).toEqual([{ kind: 'paragraph', runs: plain('<script>x</script> [a](javascript:x)') }])
  })
  test('can have no title', () => {
    expect(readText('Hello', '').title).toBe('')
  })
})
