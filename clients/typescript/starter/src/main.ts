/** In the spec of a tournament: `command = ["node", "dist/src/main.js"]`. */
import { run } from "ohhell-bot";
import { MyBot } from "./mybot.js";

await run(() => new MyBot());
