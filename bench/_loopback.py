"""A translation server on loopback that answers each request after a fixed time.

`python bench/_loopback.py SECONDS` prints its port and serves until its input ends. It speaks
LibreTranslate's shapes, and as little else as a client needs.
"""

import asyncio
import json
import sys


async def serve_one(reader, writer, delay: float) -> None:
    try:
        while True:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
            length = int(head.partition("content-length: ")[2].partition("\r\n")[0] or 0)
            body = json.loads(await reader.readexactly(length)) if length else {}
            await asyncio.sleep(delay)
            content = {"translatedText": f"Estou cansada, frase {len(str(body.get('q', '')))}."}
            answer = json.dumps(content).encode()
            writer.write(
                b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
                % len(answer)
                + answer
            )
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()


async def main(delay: float) -> None:
    server = await asyncio.start_server(
        lambda reader, writer: serve_one(reader, writer, delay), "127.0.0.1", 0
    )
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.to_thread(sys.stdin.read)
    server.close()


if __name__ == "__main__":
    asyncio.run(main(float(sys.argv[1])))
