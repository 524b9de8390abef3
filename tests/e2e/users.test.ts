import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath } from '../browser.ts'
import { longTest } from '../long-run.ts'
import { chooseOption, menuEntries } from '../popups.ts'
import { DEMO_PASSWORD } from '../running-product.ts'
import { getRow, isOnOneLine, rowMenu, type Screens, soon, startScreens, violations } from '../screens.ts'
import { fetchToken } from '../signed-in.ts'

interface Person {
  readonly blocked: boolean
}

/** The maximum number of sub-users in an account (api.md §6). */
const MAX_SUB_USERS = 100

describe.skipIf(chromiumPath === undefined)('the user list in Chromium', () => {
  let screens: Screens
  beforeAll(async () => {
    screens = await startScreens()
    await screens.add('Wanda', { rights: { playback: true, ptz: true } })
    await screens.add('Igor', { password: undefined })
  })
  afterAll(() => screens[Symbol.asyncDispose]())

  test('the owner sees every user; their own row is marked and can only be opened', async () => {
    await using tab = await screens.open('/users', undefined, { locale: 'en-US' })
    const { page } = tab
    await getRow(page, 'Olivia Owner').getByText('Owner', { exact: true }).waitFor()
    await getRow(page, 'Igor Person').getByText('Not signed in yet').waitFor()
    expect(await isOnOneLine(getRow(page, 'Olivia Owner').getByText(/\d{4}, /))).toBe(true)
    await rowMenu(page, 'Olivia Owner')
    expect(await menuEntries(page)).toEqual(['Open'])
    await page.keyboard.press('Escape')
    await rowMenu(page, 'Igor Person')
    expect(await menuEntries(page)).toEqual(['Open', 'Resend invitation', 'Block', 'Delete'])
    expect(await violations(page)).toEqual([])
    expect(tab.complaints).toEqual([])
  })

  longTest('the server searches; a search without results says so and can be cleared', async () => {
    await using tab = await screens.open('/users')
    const { page } = tab
    await getRow(page, 'Wanda Person').waitFor()
    const search = page.getByRole('searchbox', { name: 'Search by name or email address' })
    await search.fill('WANDA')
    await expect.poll(() => page.getByRole('row').count(), soon).toBe(2)
    await search.fill('nobody at all')
    await page.getByText('No results match your search and filters').waitFor()
    await page.getByRole('button', { name: 'Clear search and filters' }).click()
    await getRow(page, 'Gabriel Guard').waitFor()
  })

  longTest('search, sort order and filter are kept in the URL, also after opening a user', async () => {
    await using tab = await screens.open('/users?q=person&sort=-name&blocked=false')
    const { page } = tab
    const names = () => page.getByRole('rowheader').allTextContents()
    await getRow(page, 'Wanda').waitFor()
    expect(await page.getByLabel('Search by name or email address').inputValue()).toBe('person')
    const descending = await names()
    expect(descending.length).toBeGreaterThan(1)
    expect(descending).toEqual((await names()).toSorted().toReversed())
    await page.getByRole('button', { name: 'Name' }).click()
    await expect.poll(names, soon).toEqual(descending.toReversed())
    expect(new URL(page.url()).searchParams.get('sort')).toBe('name')
    await page.goBack()
    await expect.poll(names, soon).toEqual(descending)
    await page.getByLabel('Search by name or email address').fill('wanda')
    await expect.poll(() => new URL(page.url()).searchParams.get('q'), soon).toBe('wanda')
    await getRow(page, 'Wanda').getByRole('link').first().click()
    await page.getByRole('heading', { name: /Wanda/, level: 1 }).waitFor()
    await page.goBack()
    await getRow(page, 'Wanda').waitFor()
    expect(await names()).toHaveLength(1)
    expect(await page.getByLabel('Search by name or email address').inputValue()).toBe('wanda')
    await page.goto(`${screens.product.origin}/app/users?sort=password&page=-3`)
    await getRow(page, 'Olivia Owner').waitFor()
    expect(new URL(page.url()).search).toBe('')
    expect(tab.complaints).toEqual([])
  })

  test('a user is blocked and unblocked, each after a confirmation', async () => {
    await using tab = await screens.open('/users')
    const { page } = tab
    await rowMenu(page, 'Wanda Person')
    await page.getByRole('menuitem', { name: 'Block' }).click()
    await page.getByText('Wanda Person is signed out everywhere immediately').waitFor()
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Block', exact: true }).click()
    await getRow(page, 'Wanda Person').getByText('Blocked').waitFor()
    await page.getByRole('button', { name: 'Status' }).click()
    await page.getByRole('menuitemradio', { name: 'Blocked', exact: true }).click()
    await expect.poll(() => page.getByRole('row').count(), soon).toBe(2)
    await rowMenu(page, 'Wanda Person')
    await page.getByRole('menuitem', { name: 'Unblock' }).click()
    await page.getByRole('button', { name: 'Unblock', exact: true }).click()
    await page.getByText('Wanda Person can sign in again', { exact: true }).waitFor()
    expect((await screens.ask<Person>(`GET users/${screens.of('Wanda')}`)).blocked).toBe(false)
  })

  test('a user is invited by email with a profile and zones, and the page opens their rights', async () => {
    await using tab = await screens.open('/users')
    const { page } = tab
    await page.getByRole('button', { name: 'Add user' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add user' })
    await dialog.getByLabel('Email address').fill('guard@demo.example')
    await dialog.getByLabel('First name').fill('Ivy')
    await dialog.getByLabel('Last name').fill('Invited')
    await chooseOption(dialog.getByLabel('Permission profile'), 'Guard')
    await dialog
      .getByRole('checkbox', { name: /Outside/ })
      .first()
      .check()
    expect(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Send invitation' }).click()
    await dialog.getByText('A user with this email address already exists.').waitFor()
    await dialog.getByLabel('Email address').fill('ivy@demo.example')
    await dialog.getByRole('button', { name: 'Send invitation' }).click()
    await page.getByText('Invitation sent to ivy@demo.example').waitFor()
    await page.getByRole('heading', { name: 'Ivy Invited' }).waitFor()
    await page.getByText('8 of 43 rights are on').waitFor()
    expect(await page.getByLabel('Permission profile').textContent()).toBe('Guard')
  })

  test('a user with a password set for them can sign in; deleting them first says what is lost', async () => {
    await using tab = await screens.open('/users')
    const { page } = tab
    await page.getByRole('button', { name: 'Add user' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add user' })
    await dialog.getByLabel('Email address').fill('pat@demo.example')
    await dialog.getByLabel('First name').fill('Pat')
    await dialog.getByLabel('Last name').fill('Password')
    await dialog.getByRole('switch', { name: 'Set a password now' }).click()
    await dialog.getByLabel('Password', { exact: true }).fill('Short')
    await dialog.getByLabel('First name').focus()
    await dialog.getByText('Password should be 8-32 characters').waitFor()
    await dialog.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD)
    await dialog.getByRole('button', { name: 'Add user' }).click()
    await page.getByText('pat@demo.example added').waitFor()
    expect(await fetchToken(screens.product.origin, 'pat@demo.example')).not.toBe('')
    // No longer on the list, where each row has such a button.
    await page.getByRole('heading', { level: 1, name: 'Pat Password' }).waitFor()
    await page.getByRole('button', { name: /Actions for/ }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByText(/Sign-ins, rights and camera access are deleted/).waitFor()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('Pat Password was deleted').waitFor()
    await page.getByRole('heading', { name: 'Users', exact: true }).waitFor()
    await getRow(page, 'Gabriel Guard').waitFor()
    await expect.poll(() => getRow(page, 'Pat Password').count()).toBe(0)
  })

  longTest('several users are blocked together, and the result says who was not blocked and why', async () => {
    await using tab = await screens.open('/users')
    const { page } = tab
    for (const name of ['Olivia Owner', 'Igor Person', 'Wanda Person']) {
      await getRow(page, name).getByRole('checkbox').check()
    }
    await page.getByText('3 selected').waitFor()
    await page.getByRole('button', { name: 'Block', exact: true }).click()
    await page.getByText('Block the selected users (2)?').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Block', exact: true }).click()
    const told = page.getByRole('dialog', { name: 'Results' })
    await told.getByText('Igor Person: Done').waitFor()
    await told.getByText(/^Olivia Owner: This is you/).waitFor()
    await told.getByRole('button', { name: 'Close' }).last().click()
    for (const name of ['Igor', 'Wanda']) {
      expect((await screens.ask<Person>(`GET users/${screens.of(name)}`)).blocked).toBe(true)
      await screens.ask(`POST users/${screens.of(name)}/unblock`)
    }
  })

  longTest('a user without the right has no menu item, and the page says so', async () => {
    await using tab = await screens.open('/users', 'guard@demo.example')
    const { page } = tab
    await page.getByRole('heading', { name: "You can't view users" }).waitFor()
    expect(await page.getByRole('link', { name: 'Users' }).count()).toBe(0)
    await page.goto(`${screens.product.origin}/app/users/${screens.of('Wanda')}/rights`)
    await page.getByRole('heading', { name: "You can't view users" }).waitFor()
    expect(await page.getByText('Wilma').count()).toBe(0)
  })

  longTest(
    'many users show page by page or all together; at the limit no user can be added and the page says why',
    async () => {
      const before = (await screens.ask<Person[]>('GET users')).length
      // The owner does not count as a sub-user.
      for (let count = before - 1; count < MAX_SUB_USERS; count += 1)
        await screens.add(`Extra${count}`, { password: undefined })
      await using tab = await screens.open('/users')
      const { page } = tab
      await chooseOption(page.getByLabel('Rows per page'), '10')
      await page.getByText('Rows 1–10 of 101').waitFor()
      await page.getByRole('button', { name: 'Next page' }).click()
      await page.getByText('Rows 11–20 of 101').waitFor()
      await page.reload()
      await page.getByText('Rows 11–20 of 101').waitFor()
      await page.goBack()
      await page.getByText('Rows 1–10 of 101').waitFor()
      await page.getByRole('button', { name: 'Next page' }).click()
      await page.getByText('Rows 11–20 of 101').waitFor()
      await page.getByRole('button', { name: 'Previous page' }).click()
      await page.getByText('Rows 1–10 of 101').waitFor()
      await chooseOption(page.getByLabel('Rows per page'), 'all')
      await page.getByText('Rows 1–101 of 101').waitFor()
      await page.getByRole('button', { name: 'Add user' }).click()
      const dialog = page.getByRole('dialog', { name: 'Add user' })
      await dialog.getByText("You've reached the maximum number of users.").waitFor()
      await dialog.getByLabel('Email address').fill('one.more@demo.example')
      await dialog.getByLabel('First name').fill('Olga')
      await dialog.getByLabel('Last name').fill('Onemore')
      await dialog.getByRole('button', { name: 'Send invitation' }).click()
      await page
        .getByRole('region', { name: 'Notifications' })
        .getByText("You've reached the maximum number of users.")
        .waitFor()
    },
  )
})
