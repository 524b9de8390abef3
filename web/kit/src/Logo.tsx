/** What the shell shows of a brand; `logoDark` is for the dark scheme. Sizes are in CSS pixels. */
export interface ShellBrand {
  readonly companyName: string
  readonly logo: string | null
  readonly logoDark?: string | undefined
  readonly logoWidth: number
  readonly logoHeight: number
}

/** The brand's logo, or its name if it has none. In the dark scheme a logo without a dark form gets a light background. */
export function Logo({ brand }: { brand: ShellBrand }) {
  const { logo, logoDark, logoWidth, logoHeight, companyName } = brand
  if (logo === null) return <span className="truncate text-lg font-semibold tracking-tight">{companyName}</span>
  const size = { width: logoWidth, height: logoHeight }
  const fit = 'max-h-9 w-auto min-w-0 max-w-40 object-contain sm:max-w-56'
  if (logoDark === undefined) {
    return <img src={logo} alt={companyName} {...size} className={`${fit} rounded-sm dark:bg-white dark:p-1`} />
  }
  return (
    <>
      <img src={logo} alt={companyName} {...size} className={`${fit} dark:hidden`} />
      <img src={logoDark} alt={companyName} {...size} className={`${fit} hidden dark:block`} />
    </>
  )
}
