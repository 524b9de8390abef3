import { type BrandThemePatch, patchResellerTheme } from '@sightline/contract/resellers'
import type { BrandTheme } from '@sightline/contract/theme'
import { SettingSwitch, SwitchGroup, TextField, useForm } from '@sightline/kit'
import { SaveCard, useApplication, useOptimistic, useSave } from '@sightline/shell'
import { themeQuery } from '../resellers/index.ts'
import {
  appLinks,
  downloadLinks,
  footerLinks,
  type LinkField,
  linkFields,
  linkPatch,
  linkRules,
  linkValues,
} from './links-form.ts'
import { type Text, useText } from './text.ts'

const labels: Readonly<Record<LinkField, Text>> = {
  terms: 'Terms',
  privacyPolicy: 'Privacy policy',
  cookies: 'Cookie policy',
  webapp: 'Web App',
  myaccount: 'My Account',
  downloadportal: 'Download Portal',
  dealerdashboard: 'Dealer Dashboard',
  windowsApp: 'App for Windows',
  macApp: 'App for Mac',
  iosApp: 'App for iPhone and iPad',
  androidApp: 'App for Android',
}

interface BrandCardProps {
  resellerId: string
  theme: BrandTheme
}

/** The link addresses of the brand's pages. */
export function LinksCard({ resellerId, theme }: BrandCardProps) {
  const { client, queries } = useApplication()
  const t = useText()
  const save = useSave()
  const saved = linkValues(theme)
  const form = useForm(saved, linkRules, t.message)
  const change = async (values: typeof saved) => {
    const body = linkPatch(saved, values)
    const outcome = await save(() => client.call(patchResellerTheme, { params: { resellerId }, body }), {
      success: t('Links saved'),
      form: { fields: linkFields, refuse: form.refuse },
    })
    if ('saved' in outcome) queries.setQueryData(themeQuery(client, resellerId).queryKey, outcome.saved)
  }
  const fields = (names: readonly LinkField[]) =>
    names.map((name) => (
      <TextField key={name} label={t(labels[name])} dir="ltr" autoComplete="off" {...form.field(name)} />
    ))
  return (
    <SaveCard
      title={t('Links')}
      description={t(
        "A full address, or a page on the brand's own domain such as /terms. Leave empty to hide the link.",
      )}
      form={form}
      onSave={change}
    >
      <div className="space-y-6">
        <fieldset>
          <legend className="mb-3 text-xs font-medium text-muted">{t('Footer')}</legend>
          <div className="grid items-start gap-4 sm:grid-cols-2">{fields(footerLinks)}</div>
        </fieldset>
        <fieldset>
          <legend className="mb-3 text-xs font-medium text-muted">{t('App menu')}</legend>
          <div className="grid items-start gap-4 sm:grid-cols-2">{fields(appLinks)}</div>
        </fieldset>
        <fieldset>
          <legend className="mb-3 text-xs font-medium text-muted">{t('Your apps, in the Download Portal')}</legend>
          <div className="grid items-start gap-4 sm:grid-cols-2">{fields(downloadLinks)}</div>
        </fieldset>
      </div>
    </SaveCard>
  )
}

type Flag = 'showDownloadPortal' | 'showdealerdashboard' | 'asksForAgreement'
type Flags = Readonly<Partial<Record<Flag, boolean>>>

const flagTexts: Readonly<Record<Flag, { readonly label: Text; readonly about: Text }>> = {
  showDownloadPortal: {
    label: 'Show the Download Portal',
    about: 'Adds it to the app menu.',
  },
  showdealerdashboard: {
    label: 'Show the Dealer Dashboard',
    about: 'Adds it to the app menu. Staff can open it either way.',
  },
  asksForAgreement: {
    label: 'Require the subscription agreement',
    about: 'Users must accept it before they continue, and again when it changes.',
  },
}
const flags: readonly Flag[] = ['showDownloadPortal', 'showdealerdashboard', 'asksForAgreement']

const isOn = ({ links, asksForAgreement }: BrandTheme, flag: Flag): boolean =>
  flag === 'asksForAgreement' ? asksForAgreement === true : links[flag]

function patchOf({ asksForAgreement, ...links }: Flags): BrandThemePatch {
  return {
    ...(asksForAgreement === undefined ? {} : { asksForAgreement }),
    ...(Object.keys(links).length === 0 ? {} : { links }),
  }
}

/** A brand's options; each saves immediately. */
export function FlagsCard({ resellerId, theme }: BrandCardProps) {
  const { client } = useApplication()
  const t = useText()
  const { change, pending } = useOptimistic<BrandTheme, Flags>({
    queryKey: themeQuery(client, resellerId).queryKey,
    apply: (state, { asksForAgreement = state.asksForAgreement, ...links }) => ({
      ...state,
      asksForAgreement,
      links: { ...state.links, ...links },
    }),
    send: (flagsChanged) => client.call(patchResellerTheme, { params: { resellerId }, body: patchOf(flagsChanged) }),
  })
  return (
    <SwitchGroup title={t('Options')} on={flags.filter((flag) => isOn(theme, flag)).length} of={flags.length}>
      {flags.map((flag) => (
        <SettingSwitch
          key={flag}
          label={t(flagTexts[flag].label)}
          description={t(flagTexts[flag].about)}
          checked={isOn(theme, flag)}
          pending={pending.some((one) => one[flag] !== undefined)}
          onChange={(on) => change({ [flag]: on })}
        />
      ))}
    </SwitchGroup>
  )
}
