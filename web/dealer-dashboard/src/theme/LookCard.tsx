import { patchResellerTheme } from '@sightline/contract/resellers'
import type { BrandTheme } from '@sightline/contract/theme'
import { type Form, TextField, useForm } from '@sightline/kit'
import { SaveCard, useApplication, useSave } from '@sightline/shell'
import { useRef } from 'react'
import { themeQuery } from '../resellers/index.ts'
import { BrandPreview } from './BrandPreview.tsx'
import { ColorField } from './ColorField.tsx'
import { ContrastTable } from './ContrastTable.tsx'
import type { BrandColors } from './contrast-rows.ts'
import { type LookValues, lookFields, lookPatch, lookRules, lookValues, parseColor, shownSize } from './look-form.ts'
import { PictureField } from './PictureField.tsx'
import { useText } from './text.ts'

const LOGO_WITHIN = { width: 800, height: 240 }
const ICON_WITHIN = { width: 256, height: 256 }

function Pictures({ form }: { form: Form<LookValues> }) {
  const t = useText()
  const { values } = form
  return (
    <>
      <PictureField
        label={t('Logo')}
        hint={t("PNG or JPEG. If there's no logo, the company name is shown.")}
        value={values.logo}
        error={form.field('logo').error}
        within={LOGO_WITHIN}
        onChange={(picture) => {
          form.choose('logo', picture?.data ?? '')
          if (picture === undefined) return
          const { width, height } = shownSize(picture)
          form.choose('logoWidth', String(width))
          form.choose('logoHeight', String(height))
        }}
      />
      <PictureField
        dark
        label={t('Logo for dark mode')}
        hint={t("If you don't upload one, the logo is shown on a white background.")}
        value={values.logoDark}
        error={form.field('logoDark').error}
        within={LOGO_WITHIN}
        onChange={(picture) => form.choose('logoDark', picture?.data ?? '')}
      />
      <PictureField
        label={t('Browser icon')}
        hint={t('Shown in browser tabs. A square PNG works best.')}
        value={values.favicon}
        error={form.field('favicon').error}
        within={ICON_WITHIN}
        onChange={(picture) => form.choose('favicon', picture?.data ?? '')}
      />
    </>
  )
}

/** The typed colors; for an invalid one, its last valid value. */
function useColors({ primary, secondary }: LookValues, saved: BrandTheme['colors']): BrandColors {
  const last = useRef<BrandColors>(saved)
  const colors = { primary: parseColor(primary) ?? last.current.primary, secondary: parseColor(secondary) }
  last.current = colors
  return colors
}

/** Name, logo and colors of a brand, with a preview. */
export function LookCard({ resellerId, theme }: { resellerId: string; theme: BrandTheme }) {
  const { client, queries } = useApplication()
  const t = useText()
  const save = useSave()
  const saved = lookValues(theme)
  const form = useForm(saved, lookRules, t.message)
  const colors = useColors(form.values, theme.colors)
  const change = async (values: LookValues) => {
    const body = lookPatch(saved, values)
    const outcome = await save(() => client.call(patchResellerTheme, { params: { resellerId }, body }), {
      success: t('Brand saved. Customers see it within seconds.'),
      form: { fields: lookFields, refuse: form.refuse },
    })
    if ('saved' in outcome) queries.setQueryData(themeQuery(client, resellerId).queryKey, outcome.saved)
  }
  return (
    <SaveCard title={t('Logo and colors')} form={form} onSave={change}>
      <div className="grid gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,1fr)_21rem]">
        <div className="space-y-5">
          <TextField label={t('Company name')} autoComplete="off" required {...form.field('companyName')} />
          <Pictures form={form} />
          <div className="grid items-start gap-4 sm:grid-cols-2">
            <ColorField form={form} name="primary" label={t('Primary color')} hint={t('Buttons, links and switches')} />
            <ColorField
              form={form}
              name="secondary"
              label={t('Secondary color')}
              hint={t('Highlights, such as badges')}
              isOptional
            />
          </div>
        </div>
        <div className="space-y-6">
          <BrandPreview values={form.values} colors={colors} />
          <ContrastTable colors={colors} />
        </div>
      </div>
    </SaveCard>
  )
}
