import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath } from '../browser.ts'
import { overflow, violations } from '../screens.ts'
import { addUser, beginSupport, lendToken, type RunningWebApp, startWebApp } from '../web-app.ts'

interface SavedLayout {
  readonly name: string
  readonly grid: number
  readonly shared: boolean
  readonly tiles: readonly { readonly x: number; readonly y: number; readonly cameraId: number }[]
}

describe.skipIf(chromiumPath === undefined)('layouts of Multiview', () => {
  let app: RunningWebApp
  let ids: number[]

  beforeAll(async () => {
    app = await startWebApp()
    ids = (await app.ask<{ cameraId: number }[]>('GET cameras')).map(({ cameraId }) => cameraId)
  })
  afterAll(() => app[Symbol.asyncDispose]())

  const openMenu = (page: Page) => page.getByRole('button', { name: 'Layouts' }).click()
  const choose = async (page: Page, item: string) => {
    await openMenu(page)
    await page.getByRole('menuitem', { name: item }).click()
  }
  const openLayout = async (page: Page, name: string) => {
    await openMenu(page)
    await page.getByRole('menuitemradio', { name }).click()
  }
  const saveAs = async (page: Page, name: string) => {
    await choose(page, 'Save layout')
    await page.getByRole('textbox', { name: 'Name' }).fill(name)
  }
  const layouts = () => app.ask<SavedLayout[]>('GET layouts')
  const camerasIn = (page: Page) => new URL(page.url()).searchParams.get('cameras')

  test('what is shown is saved, opened again in its order, replaced under its name, and deleted', async () => {
    const [first, second, third] = ids
    await using tab = await app.open(`/multiview?cameras=${third},${first}`)
    const { page } = tab
    await saveAs(page, 'Night')
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Layout Night saved').waitFor()
    expect(await layouts()).toMatchObject([
      {
        name: 'Night',
        grid: 4,
        shared: false,
        tiles: [
          { x: 0, y: 0, cameraId: third },
          { x: 1, y: 0, cameraId: first },
        ],
      },
    ])

    await page.goto(page.url().replace(/cameras=.*/, `cameras=${second}`))
    await openLayout(page, 'Night')
    await expect.poll(() => camerasIn(page)).toBe(`${third},${first}`)

    await page.goto(page.url().replace(/cameras=.*/, `cameras=${second}`))
    await saveAs(page, 'Night')
    await page.getByText('This replaces the layout of this name.').waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect.poll(layouts).toMatchObject([{ name: 'Night', grid: 1, tiles: [{ cameraId: second }] }])

    await choose(page, 'Delete Night')
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('Layout Night deleted').waitFor()
    expect(await layouts()).toEqual([])
    expect(tab.complaints).toEqual([])
  })

  test('the owner saves one for all users, who open it but can’t delete it, and see the cameras of their own access', async () => {
    await using tab = await app.open(`/multiview?cameras=${ids.join()}`)
    const { page } = tab
    await saveAs(page, 'All cameras')
    await page.getByRole('switch', { name: 'For all users' }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Layout All cameras saved').waitFor()

    const rights = { LiveCamera: true, CameraView: true }
    await addUser(app, 'layouts@demo.example', { rights, cameraIds: ids.slice(0, 2), zoneIds: [] })
    await using other = await app.open('/multiview', 'layouts@demo.example', { width: 360, height: 780 })
    await openLayout(other.page, 'All cameras')
    await expect.poll(() => camerasIn(other.page)).toBe(ids.slice(0, 2).join())
    await openMenu(other.page)
    await other.page.getByRole('menuitem', { name: 'Save layout' }).waitFor()
    expect(await other.page.getByRole('menuitem', { name: /^Delete/ }).count()).toBe(0)
    await other.page.keyboard.press('Escape')
    expect(await overflow(other.page)).toBe(0)
    await choose(other.page, 'Save layout')
    expect(await other.page.getByRole('switch', { name: 'For all users' }).count()).toBe(0)
    expect(other.complaints).toEqual([])
  })

  test('support opens layouts of the account and saves none', async () => {
    const token = await beginSupport(app, { video: 'shown' })
    await using tab = await app.newPage()
    await lendToken(tab.page, app.product.origin, token)
    await tab.page.goto(`${app.product.origin}/app/multiview`)
    await openMenu(tab.page)
    await tab.page.getByRole('menuitemradio', { name: 'All cameras' }).waitFor()
    expect(await tab.page.getByRole('menuitem', { name: 'Save layout' }).count()).toBe(0)
  })
})
