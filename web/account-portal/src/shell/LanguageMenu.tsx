import { ApiFailure } from '@sightline/client'
import { languageCode, patchUserDetails } from '@sightline/contract/user-details'
import { Icon, Menu } from '@sightline/kit'
import * as z from 'zod/mini'
import { accountQueries } from '../account.ts'
import { usePortal } from '../portal.ts'
import { useText } from '../text.ts'

/** Changes the language at once; for a signed-in user it also becomes the one of mails and other devices. */
export function LanguageMenu({ signedIn }: { signedIn: boolean }) {
  const { languages, client, queries, snackBar } = usePortal()
  const t = useText()
  const choose = async (code: string) => {
    await languages.choose(code)
    if (!signedIn) return
    try {
      const details = await client.call(patchUserDetails, { body: { language: z.parse(languageCode, code) } })
      queries.setQueryData(accountQueries(client).details.queryKey, details)
    } catch (failure) {
      // The page speaks the chosen language all the same; not being allowed to keep it is no fault to report.
      if (!(failure instanceof ApiFailure)) throw failure
      if (failure.code !== 9 && !failure.sessionEnded) snackBar.error(t.message(failure.message))
    }
  }
  return (
    <Menu
      label={t('Language')}
      trigger={<Icon name="globe" />}
      triggerClass="inline-flex size-10 items-center justify-center rounded-md text-muted hover:bg-sunken hover:text-text pointer-coarse:size-11"
      items={languages.choices.map(({ code, name }) => ({
        label: name,
        current: code === languages.current(),
        onSelect: () => void choose(code),
      }))}
    />
  )
}
