/** The second factor of staff: a QR code beside the address for an authenticator app. */
import { qr } from "./qr.ts";

const link = document.querySelector<HTMLAnchorElement>("a[href^='otpauth:']");
const drawn = link && qr(link.href, "QR code of the secret");
if (drawn) link.parentElement!.before(drawn);
