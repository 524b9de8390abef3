import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type LegalPage, legalPages } from '@sightline/contract/legal-texts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { legalTexts } from './index.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-legal-'))
  await mkdir(join(folder, '300'))
})
afterEach(() => rm(folder, { recursive: true }))

describe('the text of a page', () => {
  test('is the brand’s own, or the one for all brands, or a template', async () => {
    const texts = legalTexts(folder)
    expect(await texts.find('terms', 300)).toMatchObject({ isTemplate: true })
    await writeFile(join(folder, 'terms.md'), 'Version: 3\n# For all\n')
    await writeFile(join(folder, '300/terms.md'), 'Version: 4, May\r\n# Of 300\r\n')
    expect(await texts.find('terms', 300)).toEqual({ version: '4, May', isTemplate: false, text: '# Of 300\n' })
    expect(await texts.find('terms', 255)).toEqual({ version: '3', isTemplate: false, text: '# For all\n' })
    expect(await texts.find('terms', undefined)).toMatchObject({ version: '3' })
    expect(await texts.find('aditerms', 300)).toMatchObject({ isTemplate: true })
  })
  test('without its own version gets a new one with every change', async () => {
    await writeFile(join(folder, 'terms.md'), '# One\n')
    const { version } = await legalTexts(folder).find('terms', undefined)
    await writeFile(join(folder, 'terms.md'), '# Two\n')
    const { version: next } = await legalTexts(folder).find('terms', undefined)
    expect([version, next]).toEqual([expect.stringMatching(/^[0-9a-f]{12}$/), expect.stringMatching(/^[0-9a-f]{12}$/)])
    expect(next).not.toBe(version)
  })
  test.each([
    ['empty', ' \n'],
    ['longer than any', 'x'.repeat(513 * 1024)],
  ])('isn’t loaded from a file that is %s', async (_, content) => {
    await writeFile(join(folder, 'terms.md'), content)
    expect(await legalTexts(folder).find('terms', undefined)).toMatchObject({ isTemplate: true })
  })
})

/** What the specification names (§1, §5 "Terms", §9 "Legal text"). */
const named: readonly (readonly [LegalPage, readonly RegExp[]])[] = [
  ['terms', [/Dutch law/, /court of Amsterdam/, /within 15 days/, /1\.5 %/, /14 days/, /150 EUR per hour/]],
  ['terms', [/30 days late/, /12 months/, /60 days/, /30 days' notice/]],
  ['subscriptionagreement', [/United States of America or Canada only/, /18 years/, /State of New York/]],
  ['subscriptionagreement', [/Servers are in the United States/, /children under 16/, /billed monthly.*credit card/]],
  ['subscriptionagreement', [/15 days/, /1\.5 %/, /14 days after/, /150 EUR per hour/, /30 days late/, /12 months/]],
  ['subscriptionagreement', [/60 days/, /30 days' notice/, /address, maker, model, status and version/]],
  ['subscriptionagreement', [/speed of the network/, /## 12. Data that we collect/, /## 13. Use/, /## 14. Sharing/]],
  ['subscriptionagreement', [/## 15. Retention/, /## 16. Security/, /## 17. Your rights/, /## 18. Children/]],
  ['subscriptionagreement', [/## 19. Contact/]],
  ['aditerms', [/third part/, /Privacy/, /speed of the network/, /Children/, /Contact/]],
]
test.each(named)('the template %s contains everything that the specification lists: %j', async (page, points) => {
  const { text } = await legalTexts(undefined).find(page, undefined)
  for (const point of points) expect(text).toMatch(point)
})

test.each(legalPages)('the template %s has a version, and each section its own anchor', async (page) => {
  const { version, text } = await legalTexts(undefined).find(page, undefined)
  expect(version).toMatch(/^\d{4}-\d\d-\d\d$/)
  const anchors = [...text.matchAll(/\{#([a-z-]+)\}/g)].map(([, anchor]) => anchor)
  expect(new Set(anchors).size).toBe(anchors.length)
})
