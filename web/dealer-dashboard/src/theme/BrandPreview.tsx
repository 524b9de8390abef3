import { createPalette, type Palette, type Scheme } from '@sightline/contract/theme'
import { buttonClass } from '@sightline/kit'
import type { CSSProperties } from 'react'
import type { BrandColors } from './contrast-rows.ts'
import type { LookValues } from './look-form.ts'
import { useText } from './text.ts'

const stylesOf = (palette: Palette, scheme: Scheme): CSSProperties => ({
  colorScheme: scheme,
  ...Object.fromEntries(Object.entries(palette).map(([tone, hex]) => [`--tone-${tone}`, hex])),
})

interface PreviewProps {
  values: LookValues
  colors: BrandColors
}

function PreviewLogo({ values, scheme }: { values: LookValues; scheme: Scheme }) {
  const { logo, logoDark, companyName } = values
  const isDark = scheme === 'dark'
  const src = isDark && logoDark !== '' ? logoDark : logo
  if (src === '') return <span className="truncate font-semibold">{companyName}</span>
  const isOnPlate = isDark && logoDark === ''
  return (
    <img
      src={src}
      alt=""
      className={`h-7 w-auto max-w-36 object-contain ${isOnPlate ? 'rounded-sm bg-white p-1' : ''}`}
    />
  )
}

/** A miniature page in the brand's colors; it is not interactive. */
function Miniature({ values, colors, scheme }: PreviewProps & { scheme: Scheme }) {
  const t = useText()
  return (
    <div
      role="img"
      aria-label={t(scheme === 'light' ? 'Preview in light mode' : 'Preview in dark mode')}
      inert
      style={stylesOf(createPalette(colors, scheme), scheme)}
      className="overflow-hidden rounded-md border forced-color-adjust-none border-border bg-canvas text-sm text-text"
    >
      <div className="flex h-12 items-center justify-between gap-3 border-b border-border bg-surface px-3">
        <PreviewLogo values={values} scheme={scheme} />
        <span className="size-7 shrink-0 rounded-full bg-tint" />
      </div>
      <div className="p-3">
        <div className="rounded-md border border-border bg-surface p-3">
          <p className="font-semibold">{t('Cameras')}</p>
          <p className="text-muted">
            {t('3 cameras online')} <span className="text-link underline">{t('View all')}</span>
          </p>
          <div className="mt-3 flex flex-wrap items-center gap-3">
            <span className={`${buttonClass()} h-8 px-3`}>{t('Add camera')}</span>
            <span className="relative h-5 w-9 rounded-full bg-control">
              <span className="absolute end-0.5 top-0.5 size-4 rounded-full bg-on-control" />
            </span>
            {colors.secondary === undefined ? null : (
              <span className="rounded-full bg-accent px-2.5 py-0.5 text-xs font-medium text-on-accent">
                {t('New')}
              </span>
            )}
          </div>
        </div>
      </div>
    </div>
  )
}

/** A preview of the unsaved brand in both color schemes. */
export function BrandPreview({ values, colors }: PreviewProps) {
  const t = useText()
  return (
    <section>
      <h3 className="mb-2 font-medium">{t('Preview')}</h3>
      <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-1">
        <Miniature values={values} colors={colors} scheme="light" />
        <Miniature values={values} colors={colors} scheme="dark" />
      </div>
    </section>
  )
}
