// Rules of WCAG 2.2 that axe can't check: zoom, wider text spacing, the keyboard, reduced motion and forced colors. One file,
// because imports have other names in the code that is sent to the page.
import type { Page } from 'playwright-core'

/** Runs a function in a page, with the functions that it calls by name. They can't access anything else from here. */
const runInPage = <Result>(
  page: Page,
  run: () => Result,
  helpers: readonly ((...given: never[]) => unknown)[] = [],
): Promise<Result> => page.evaluate<Result>(`(() => { ${helpers.map(String).join('\n')}\nreturn (${run})() })()`)

/** For {@link runInPage}: describes an element briefly. */
function describeElement(one: Element): string {
  return one.outerHTML
    .replaceAll(/ (class|style|id|aria-describedby)="[^"]*"/g, '')
    .replaceAll(/\s+/g, ' ')
    .slice(0, 140)
}

/** For {@link runInPage}: all visible elements, without those for screen readers only. */
function drawnElements(): Element[] {
  return [...document.querySelectorAll('body *')].filter(
    (one) =>
      one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
      one.closest('.sr-only, option') === null,
  )
}

/** Only rows of links and tables may scroll horizontally (WCAG 1.4.10). */
function scrollsSideways(one: Element): boolean {
  if (!/auto|scroll/.test(getComputedStyle(one).overflowX) || one.scrollWidth <= one.clientWidth + 1) return false
  return one.querySelector(':scope > table') === null && one.parentElement?.matches('nav') !== true
}

function isOutside(one: Element): boolean {
  const box = one.getBoundingClientRect()
  if (box.width < 2 || box.height < 2 || (box.right <= window.innerWidth + 1 && box.left >= -1)) return false
  return one.parentElement?.closest('[class*=overflow-]') == null
}

/** Content that is reachable only by horizontal scrolling. */
export const faultsOfWidth = (page: Page): Promise<string[]> =>
  runInPage(page, () => {
    const wider = document.documentElement.scrollWidth - window.innerWidth
    const faults = wider > 0 ? [`${wider} pixels wider than the window`] : []
    for (const one of drawnElements()) {
      if (scrollsSideways(one)) faults.push(`scrolls sideways: ${describeElement(one)}`)
      if (isOutside(one)) faults.push(`outside of the window: ${describeElement(one)}`)
    }
    return faults
  }, [describeElement, drawnElements, scrollsSideways, isOutside])

function leavesBox(text: DOMRect, box: Element): boolean {
  const { overflowX, overflowY, display } = getComputedStyle(box)
  const edge = box.getBoundingClientRect()
  if (display === 'inline' || edge.width < 2) return false
  const beyondX = text.right > edge.right + 2 || text.left < edge.left - 2
  const beyondY = text.bottom > edge.bottom + 2 || text.top < edge.top - 2
  return (beyondX && !/auto|scroll/.test(overflowX)) || (beyondY && !/auto|scroll/.test(overflowY))
}

function isCut(text: DOMRect, box: Element | null): boolean {
  if (box === null || box === document.body) return false
  if (leavesBox(text, box)) return true
  const { overflow, position } = getComputedStyle(box)
  return !/auto|scroll/.test(overflow) && position !== 'fixed' && isCut(text, box.parentElement)
}

/** Elements whose own text overflows its box. Input fields may contain more than they show. */
function cutTexts(): Set<Element> {
  const isText = (node: Node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim() !== ''
  const place = (node: Node) => {
    const range = document.createRange()
    range.selectNodeContents(node)
    return range.getBoundingClientRect()
  }
  const found = drawnElements()
    .filter((one) => one.closest('svg, [role=combobox], [role=img], [inert]') === null)
    .filter((one) => [...one.childNodes].some((node) => isText(node) && isCut(place(node), one)))
  return new Set(found)
}

/** Text that is cut off with the spacing of lines, letters and words that users may set (WCAG 1.4.12). */
export const faultsOfTextSpacing = (page: Page): Promise<string[]> =>
  runInPage(page, () => {
    const before = cutTexts()
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(
      '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }',
    )
    document.adoptedStyleSheets = [sheet]
    const after = [...cutTexts()].filter((one) => !before.has(one))
    const wider = document.documentElement.scrollWidth - window.innerWidth
    document.adoptedStyleSheets = []
    const faults = after.map((one) => `cut off when spaced: ${describeElement(one)}`)
    return wider > 0 ? [...faults, `${wider} pixels wider than the window when spaced`] : faults
  }, [describeElement, drawnElements, leavesBox, isCut, cutTexts])

function hasMark(one: Element): boolean {
  return [undefined, '::after', '::before'].some((pseudo) => {
    const style = getComputedStyle(one, pseudo)
    return style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) >= 1
  })
}

/** What covers an element completely, possibly the window's edge; undefined if part of it is visible. */
function coverOf(one: Element): string | undefined {
  const box = one.getBoundingClientRect()
  const steps = [0.03, 0.25, 0.5, 0.75, 0.97]
  const tops = steps.flatMap((x) =>
    steps.map((y) => document.elementFromPoint(box.left + box.width * x, box.top + box.height * y)),
  )
  if (tops.some((top) => top !== null && (one.contains(top) || top.contains(one)))) return undefined
  const top = tops.find((each) => each !== null)
  return top == null ? 'the edge of the window' : describeElement(top.closest('header, section, div') ?? top)
}

/** The focused element, and the problem with its visibility. */
const faultOfFocus = (page: Page): Promise<{ readonly place: string; readonly fault: string | undefined }> =>
  runInPage(page, () => {
    const one = document.activeElement
    if (one === null || one === document.body) return { place: '', fault: undefined }
    const place = String([...document.querySelectorAll('*')].indexOf(one))
    const shown = one.getBoundingClientRect().width < 3 ? (one.closest('label') ?? one) : one
    const cover = coverOf(shown)
    if (cover !== undefined) return { place, fault: `focus behind ${cover}: ${describeElement(one)}` }
    const isMarked = hasMark(one) || hasMark(shown) || hasMark(one.parentElement ?? one)
    return { place, fault: isMarked ? undefined : `focus is not marked: ${describeElement(one)}` }
  }, [describeElement, hasMark, coverOf])

/** Goes through a page with Tab and checks that the focus is always visible (WCAG 2.4.7 and 2.4.11). */
export async function faultsOfFocus(page: Page): Promise<string[]> {
  await page.evaluate('document.activeElement.blur(), window.scrollTo(0, 0)')
  const faults: string[] = []
  const seen = new Set<string>()
  for (;;) {
    await page.keyboard.press('Tab')
    const { place, fault } = await faultOfFocus(page)
    if (place === '' || seen.has(place)) return faults
    seen.add(place)
    if (fault !== undefined) faults.push(fault)
  }
}

function longestMs(list: string): number {
  return Math.max(...list.split(',').map((one) => Number.parseFloat(one) * (one.trim().endsWith('ms') ? 1 : 1000)))
}

/** Motion on a page although the user prefers reduced motion. */
export const faultsOfMotion = (page: Page): Promise<string[]> =>
  runInPage(page, () => {
    const faults: string[] = []
    for (const one of document.querySelectorAll('*')) {
      for (const pseudo of [undefined, '::before', '::after']) {
        const style = getComputedStyle(one, pseudo)
        const isAnimated = style.animationName !== 'none' && longestMs(style.animationDuration) > 1
        if (isAnimated || longestMs(style.transitionDuration) > 1) faults.push(`moves: ${describeElement(one)}`)
      }
      if (getComputedStyle(one).scrollBehavior === 'smooth') faults.push(`scrolls smoothly: ${describeElement(one)}`)
    }
    return faults
  }, [describeElement, longestMs])

/** Red, green, blue and alpha, 0 to 255, of any CSS color. */
function channelsOf(color: string): readonly number[] {
  const context = new OffscreenCanvas(1, 1).getContext('2d')
  if (context === null) return []
  context.fillStyle = color
  context.fillRect(0, 0, 1, 1)
  return [...context.getImageData(0, 0, 1, 1).data]
}

function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((channel) =>
    channel <= 10 ? channel / 255 / 12.92 : ((channel / 255 + 0.055) / 1.055) ** 2.4,
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrastOf(one: string, other: string): number {
  const [low = 0, high = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

/** The background color behind an element. */
function groundOf(one: Element | null): string {
  if (one === null) return 'Canvas'
  const { backgroundColor } = getComputedStyle(one)
  return (channelsOf(backgroundColor)[3] ?? 0) > 127 ? backgroundColor : groundOf(one.parentElement)
}

function unseenIcons(): string[] {
  return drawnElements()
    .filter((one) => one.matches('svg') && one.closest(':disabled, [aria-disabled=true], [role=img]') === null)
    .filter((one) => contrastOf(getComputedStyle(one).color, groundOf(one.parentElement)) < 3)
    .map((one) => `icon not seen: ${describeElement(one.parentElement ?? one)}`)
}

const helpers = [describeElement, drawnElements, channelsOf, luminanceOf, contrastOf, groundOf]

/** Shapes drawn only by their background, such as a bar or a dot, that differ from their surroundings. */
const shapes = (page: Page): Promise<string[]> =>
  runInPage(
    page,
    () =>
      drawnElements()
        .filter((one) => one.childElementCount === 0 && one.textContent === '')
        .filter(
          (one) =>
            !one.matches('svg, svg *, img, video, canvas, input, td, th, col, hr, [aria-hidden].animate-shimmer'),
        )
        .filter((one) => one.getBoundingClientRect().width > 1 && one.getBoundingClientRect().height > 1)
        .filter((one) => {
          const style = getComputedStyle(one)
          const hasEdge = Number.parseFloat(style.borderTopWidth) > 0 || style.backgroundImage !== 'none'
          return hasEdge || contrastOf(groundOf(one), groundOf(one.parentElement)) > 1.15
        })
        .map((one) => describeElement(one)),
    helpers,
  )

/** All of an element's styles that can show a state. */
function faceOf(one: Element): string {
  const style = getComputedStyle(one)
  const inner = one.firstElementChild === null ? style : getComputedStyle(one.firstElementChild)
  const icon = one.querySelector('svg')
  return [
    ...[style.backgroundColor, style.borderColor, style.borderWidth, style.borderStyle, style.outlineStyle],
    ...[style.outlineColor, style.fontWeight, style.textDecorationLine, getComputedStyle(one, '::after').content],
    ...[inner.backgroundColor, icon === null ? '' : `${getComputedStyle(icon).visibility} ${icon.innerHTML.length}`],
  ].join(' ')
}

const stateFaults = (page: Page): Promise<string[]> =>
  runInPage(page, () => {
    const STATES =
      '[aria-current]:not([aria-current=false]), [aria-checked=true], [aria-selected=true], [aria-pressed=true], [aria-invalid=true], :disabled:not(option)'
    const isAlike = (one: Element, other: Element) =>
      other !== one && !other.matches(STATES) && other.getAttribute('role') === one.getAttribute('role')
    return drawnElements()
      .filter((one) => one.matches(STATES))
      .filter((one) => {
        const group = one.closest('ul, nav, [role=group], form, section, main') ?? document.body
        const other = [...group.querySelectorAll(one.tagName)].find((each) => isAlike(one, each))
        const isGrey = one.matches(':disabled') && getComputedStyle(one).color !== getComputedStyle(document.body).color
        return other !== undefined && !isGrey && faceOf(one) === faceOf(other)
      })
      .map((one) => `state cannot be told: ${describeElement(one)}`)
  }, [...helpers, faceOf])

/** States that are no longer distinguishable with forced colors; renders the page both ways. */
export async function faultsOfForcedColors(page: Page): Promise<string[]> {
  const choose = async (forcedColors: 'active' | 'none') => {
    await page.emulateMedia({ forcedColors })
    // Colors change over a frame even with reduced motion.
    await page.evaluate(() => Promise.allSettled(document.getAnimations().map((one) => one.finished)))
  }
  await choose('none')
  const before = await shapes(page)
  await choose('active')
  const after = new Set(await shapes(page))
  const icons = await runInPage(page, unseenIcons, helpers)
  const states = await stateFaults(page)
  await choose('none')
  return [...before.filter((one) => !after.has(one)).map((one) => `vanishes: ${one}`), ...icons, ...states]
}
