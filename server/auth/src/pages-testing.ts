import type { SignInPages } from '@sightline/contract/sign-in-pages'

/** Minimal pages: a test checks the text, not the look. */
export const plainPages: SignInPages = {
  forgotPassword: (page) =>
    `<form action="${page.action}">${JSON.stringify([page.email, page.problem ?? null])}<a href="${page.signInHref}"></form>`,
  resetAsked: (page) => `<h1>reset asked</h1><p>${page.email}</p><a href="${page.signInHref}">`,
  signIn: (page) =>
    `<form action="${page.action}"><input name="email" value="${page.email}"><p>${JSON.stringify(page.problem ?? null)}</p></form><p id="offered">${JSON.stringify(page.demonstrations ?? [])}</p>`,
  secondFactor: (page) =>
    `<form action="${page.action}"><p>${page.kind} ${JSON.stringify(page.problem ?? null)}</p><a href="${page.otherHref}"><a href="${page.startHref}"></form>`,
  chooseAccount: (page) => `<form action="${page.action}">${JSON.stringify(page.accounts)}</form>`,
  consent: (page) =>
    `<form action="${page.action}">${JSON.stringify([page.clientName, page.email, page.scopes, page.returnsTo])}</form>`,
  error: (page) => `<h1>error ${page.kind}</h1>`,
  confirmLogout: (page) => `<form action="${page.action}">confirm ${page.email}<a href="${page.stayHref}"></form>`,
  loggedOut: () => '<h1>logged out</h1>',
  setPassword: (page) =>
    `<form action="${page.action}">${JSON.stringify([page.kind, page.email, page.problems])}</form>`,
  confirmEmail: (page) =>
    `<form action="${page.action}">${JSON.stringify([page.email, page.newEmail, page.askedBy, page.isTaken])}</form>`,
  emailAnswered: (page) => `<h1>email ${page.outcome}</h1><p>${page.email}</p><a href="${page.signInHref}">`,
  lockdown: (page) =>
    `<form action="${page.action}">${JSON.stringify([page.email, page.apiKeys, page.supportAccess, page.emailChange])}</form>`,
  lockedDown: (page) =>
    `<h1>locked down</h1>${page.isMailed ? 'mailed' : 'not mailed'} ${[page.email, ...page.passkeys].join(' ')}`,
  passwordSet: (page) => `<h1>password set</h1><a href="${page.signInHref}">`,
  firstRun: (page) => `<form action="${page.action}">${JSON.stringify([page.typed, page.problems])}</form>`,
}
