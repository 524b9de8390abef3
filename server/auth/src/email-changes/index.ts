export { noteToOwner, questionMail } from './ask.ts'
export { EMAIL_CHANGE_PATH } from './letter.ts'
export { type EmailPageParts, emailChange } from './page.ts'
