export { noteToOwner, questionMail } from './ask.ts'
export { type EmailActDeps, emailChangeAct } from './page.ts'
