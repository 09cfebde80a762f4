#include "raw_client.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int send_all(int client, const void *data, size_t size) {
  const char *bytes = data;
  while (size > 0) {
    ssize_t sent = send(client, bytes, size, MSG_NOSIGNAL);
    if (sent <= 0) return -1;
    bytes += sent;
    size -= (size_t)sent;
  }
  return 0;
}

static int receive_all(int client, void *data, size_t size) {
  char *bytes = data;
  while (size > 0) {
    ssize_t received = recv(client, bytes, size, 0);
    // Otherwise the node, which waits for acknowledgements, stalls for 40 ms between the parts of a result.
    int on = 1;
    setsockopt(client, IPPROTO_TCP, TCP_QUICKACK, &on, sizeof on);
    if (received <= 0) return -1;
    bytes += received;
    size -= (size_t)received;
  }
  return 0;
}

static int request(int client, uint8_t type, const void *body, uint32_t size) {
  char message[4096] = {0};
  if (size + 8 > sizeof message) return -1;
  uint32_t words = size / 8;
  memcpy(message, &words, 4);
  message[4] = (char)type;
  memcpy(message + 8, body, size);
  return send_all(client, message, size + 8);
}

// Receives a reply into memory that the caller frees. Returns its type, or -1.
static int reply(int client, char **body, size_t *size) {
  char header[8];
  uint32_t words;
  if (receive_all(client, header, 8) < 0) return -1;
  memcpy(&words, header, 4);
  *size = (size_t)words * 8;
  *body = malloc(*size + 1);
  if (*body == NULL || receive_all(client, *body, *size) < 0) return -1;
  return header[4];
}

// Receives a reply of a type and returns the 32 bits at an offset of it.
static int expect(int client, int type, size_t offset) {
  char *body = NULL;
  size_t size;
  int found = reply(client, &body, &size), value = -1;
  if (found == type) {
    value = 0;
    if (size >= offset + 4) memcpy(&value, body + offset, 4);
  }
  free(body);
  return value;
}

static uint32_t append_text(char *buffer, uint32_t offset, const char *text) {
  uint32_t length = (uint32_t)strlen(text) + 1;
  memcpy(buffer + offset, text, length);
  return offset + ((length + 7) & ~7u);
}

int raw_connect(int port) {
  int client = socket(AF_INET, SOCK_STREAM, 0), on = 1;
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  uint64_t version = 1, id = 0;
  setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (connect(client, (struct sockaddr *)&address, sizeof address) < 0) return -1;
  if (send_all(client, &version, 8) < 0 || request(client, 1, &id, 8) < 0) return -1;
  return expect(client, 2, 0) < 0 ? -1 : client;
}

void raw_close(int client) { close(client); }

int raw_open(int client, const char *name) {
  char body[256] = {0};
  uint32_t end = append_text(body, 0, name);
  if (request(client, 3, body, end + 16) < 0) return -1;
  return expect(client, 4, 0);
}

int raw_prepare(int client, const char *sql) {
  char body[2048] = {0};
  uint32_t end = append_text(body, 8, sql);
  if (request(client, 4, body, end) < 0) return -1;
  return expect(client, 5, 4);
}

static int run(int client, uint8_t type, int statement, int count, int64_t value) {
  char body[24] = {0};
  memcpy(body + 4, &statement, 4);
  body[8] = (char)count;
  body[9] = 1;
  memcpy(body + 16, &value, 8);
  return request(client, type, body, count > 0 ? 24 : 16);
}

int raw_execute(int client, int statement, int count, int64_t value) {
  if (run(client, 5, statement, count, value) < 0) return -1;
  return expect(client, 6, 0);
}

int64_t raw_query(int client, int statement, int count, int64_t value) {
  if (run(client, 6, statement, count, value) < 0) return -1;
  int64_t bytes = 0;
  while (1) {
    char *body = NULL;
    size_t size;
    unsigned char marker = 0;
    int type = reply(client, &body, &size);
    if (type == 7 && size >= 8) marker = (unsigned char)body[size - 1];
    free(body);
    if (type != 7) return -1;
    bytes += (int64_t)size;
    if (marker == 0xff) return bytes;
  }
}
