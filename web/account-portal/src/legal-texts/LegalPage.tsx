import { LEGAL_TEXTS_PATH, type LegalText, type LegalPage as Page } from '@sightline/contract/legal-texts'
import { Card, Notice, ScreenTitle, Skeleton, SkeletonGroup } from '@sightline/kit'
import { LoadFailed, useApplication, usePageTitle, useTranslation } from '@sightline/shell'
import { Fragment, useEffect, useMemo, useState } from 'react'
import type { Text } from '../text.ts'
import { Contents, LegalBlocks } from './LegalBlocks.tsx'
import type english from './locales/en.json'
import { readText } from './read-text.ts'

type Known =
  | { readonly kind: 'asking' }
  | { readonly kind: 'known'; readonly legal: LegalText }
  | { readonly kind: 'failed'; readonly error: unknown }

/** The text of this host's brand. Uses a plain effect, because the query library would split the first load. */
function useLegalText(page: Page): { readonly known: Known; readonly askAgain: () => void } {
  const [known, setKnown] = useState<Known>({ kind: 'asking' })
  const [times, setTimes] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: requested again for each retry
  useEffect(() => {
    const leaving = new AbortController()
    const ask = async () => {
      const address = `${LEGAL_TEXTS_PATH}${page}`
      const response = await fetch(address, { signal: leaving.signal })
      if (!response.ok) throw new Error(`${address} answered ${response.status}`)
      setKnown({ kind: 'known', legal: (await response.json()) as LegalText })
    }
    ask().catch((error: unknown) => {
      if (!leaving.signal.aborted) setKnown({ kind: 'failed', error })
    })
    return () => leaving.abort()
  }, [page, times])
  return { known, askAgain: () => setTimes(times + 1) }
}

/** The user followed a link to a section before the text was loaded. */
function useAnchorOfAddress(isThere: boolean): void {
  useEffect(() => {
    if (isThere) document.getElementById(window.location.hash.slice(1))?.scrollIntoView()
  }, [isThere])
}

function Waiting() {
  return (
    <SkeletonGroup>
      {['h-8 w-2/3', 'h-24 w-full', 'h-48 w-full', 'h-48 w-full'].map((size, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they never change places
        <Fragment key={index}>
          <Skeleton className={size} />
        </Fragment>
      ))}
    </SkeletonGroup>
  )
}

/** One of the brand's legal texts, in English, the binding language, with notes in the reader's language. */
function LegalPage({ page }: { page: Page }) {
  const t = useTranslation<keyof typeof english | Text>()
  const { config, languages } = useApplication()
  const { known, askAgain } = useLegalText(page)
  const company = config.theme.companyName
  const read = useMemo(
    () => (known.kind === 'known' ? readText(known.legal.text, company) : undefined),
    [known, company],
  )
  usePageTitle(read?.title ?? '')
  useAnchorOfAddress(read !== undefined)
  if (known.kind === 'failed') return <LoadFailed isPage error={known.error} reset={askAgain} />
  if (read === undefined || known.kind !== 'known') return <Waiting />
  return (
    <div className="max-w-3xl space-y-6">
      <ScreenTitle title={read.title}>{t('Version {version}', { version: known.legal.version })}</ScreenTitle>
      {languages.current() === 'en' ? null : <Notice>{t('Only the English version is legally binding.')}</Notice>}
      {known.legal.isTemplate ? (
        <Notice mood="warning">
          {t("This is a template. {company} hasn't replaced it with its own text yet.", { company })}
        </Notice>
      ) : null}
      <Card title={t('Contents')} className="print:hidden">
        <Contents blocks={read.blocks} />
      </Card>
      <Card>
        <LegalBlocks blocks={read.blocks} />
      </Card>
    </div>
  )
}

export const Terms = () => <LegalPage page="terms" />
export const SubscriptionAgreement = () => <LegalPage page="subscriptionagreement" />
export const ThirdPartyTerms = () => <LegalPage page="aditerms" />
